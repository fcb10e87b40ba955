"""The topics of the cold start, by a rule, and their statements: the official names of categories, facts only.

arXiv: https://arxiv.org/category_taxonomy. OHSUMED-91: the disease categories of MeSH (C01 to C23), as of 1991.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayesift.filtering.simulate.stream_task import Task

MOST = 0.08  # share of the first fifth that a topic of OHSUMED may have: rare to middle topics
DESCRIPTIONS: dict[str, dict[str, str]] = {
    "arxiv": {
        "cond-mat.mtrl-sci": "Materials Science",
        "cs.AR": "Hardware Architecture",
        "cs.CE": "Computational Engineering, Finance, and Science",
        "cs.DB": "Databases",
        "cs.DC": "Distributed, Parallel, and Cluster Computing",
        "cs.DL": "Digital Libraries",
        "cs.ET": "Emerging Technologies",
        "cs.IT": "Information Theory",
        "cs.MA": "Multiagent Systems",
        "cs.NE": "Neural and Evolutionary Computing",
        "cs.PF": "Performance",
        "cs.SE": "Software Engineering",
        "cs.SI": "Social and Information Networks",
        "cs.SY": "Systems and Control",
        "econ.GN": "General Economics",
        "eess.SP": "Signal Processing",
        "eess.SY": "Systems and Control",
        "math.IT": "Information Theory",
        "physics.med-ph": "Medical Physics",
        "q-bio.NC": "Neurons and Cognition",
        "q-bio.QM": "Quantitative Methods in Biology",
        "stat.AP": "Applications of Statistics",
        "stat.ML": "Machine Learning in Statistics",
    },
    "ohsumed91": {
        "C01": "Bacterial Infections and Mycoses",
        "C02": "Virus Diseases",
        "C03": "Parasitic Diseases",
        "C04": "Neoplasms",
        "C05": "Musculoskeletal Diseases",
        "C06": "Digestive System Diseases",
        "C07": "Stomatognathic Diseases",
        "C08": "Respiratory Tract Diseases",
        "C09": "Otorhinolaryngologic Diseases",
        "C10": "Nervous System Diseases",
        "C11": "Eye Diseases",
        "C12": "Urologic and Male Genital Diseases",
        "C13": "Female Genital Diseases and Pregnancy Complications",
        "C14": "Cardiovascular Diseases",
        "C15": "Hemic and Lymphatic Diseases",
        "C16": "Neonatal Diseases and Abnormalities",
        "C17": "Skin and Connective Tissue Diseases",
        "C18": "Nutritional and Metabolic Diseases",
        "C19": "Endocrine Diseases",
        "C20": "Immunologic Diseases",
        "C21": "Disorders of Environmental Origin",
        "C22": "Animal Diseases",
        "C23": "Pathological Conditions, Signs and Symptoms",
    },
}


def some_topics(name: str, task: Task, found: Sequence[str]) -> list[str]:
    """Return the topics of a stream: those of chai2002-table4 that are rare to middle, with two examples."""
    most = MOST * len(task.training_labels) if name == "ohsumed91" else len(task.training_labels)
    return [topic for topic in sorted(found) if 2 <= len(task.relevant(topic)) <= most]


def described(name: str, topics: Sequence[str], statements: Mapping[str, str]) -> dict[str, str]:
    """Return the statement of each topic; of Reuters those of the corpus, and the label where it has none."""
    known = {**DESCRIPTIONS.get(name, {}), **statements}
    return {topic: known.get(topic, topic) for topic in topics}
