"""The topics of the cold start, by a rule, and their statements.

arXiv: the names of the categories and the subjects they cover, by https://arxiv.org/category_taxonomy; cs.SY and
math.IT are aliases of eess.SY and cs.IT. OHSUMED-91: the disease categories of MeSH (C01 to C23), as of 1991.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayesift.filtering.simulate.stream_task import Task

MOST = 0.08  # share of the first fifth that a topic of OHSUMED may have: rare to middle topics
DESCRIPTIONS: dict[str, dict[str, str]] = {
    "arxiv": {
        "cond-mat.mtrl-sci": (
            "Materials Science: techniques, synthesis, characterization, structure; structural phase transitions,"
            " mechanical properties, phonons; defects, adsorbates, interfaces"
        ),
        "cs.AR": "Hardware Architecture: systems organization and hardware architecture",
        "cs.CE": (
            "Computational Engineering, Finance, and Science: applications of computer science to the mathematical"
            " modeling of complex systems in science, engineering, and finance; computational simulations"
        ),
        "cs.DB": "Databases: database management, data mining, and data processing",
        "cs.DC": (
            "Distributed, Parallel, and Cluster Computing: fault tolerance, distributed algorithms, stability,"
            " parallel computation, and cluster computing"
        ),
        "cs.DL": "Digital Libraries: digital library design and document and text creation",
        "cs.ET": (
            "Emerging Technologies: information processing based on alternatives to silicon CMOS technologies, such"
            " as nanoscale electronic, photonic, spin-based, superconducting, mechanical, biochemical and quantum"
            " technologies"
        ),
        "cs.IT": "Information Theory: theoretical and experimental aspects of information theory and coding",
        "cs.MA": (
            "Multiagent Systems: multiagent systems, distributed artificial intelligence, intelligent agents,"
            " coordinated interactions"
        ),
        "cs.NE": (
            "Neural and Evolutionary Computing: neural networks, connectionism, genetic algorithms, artificial life,"
            " adaptive behavior"
        ),
        "cs.PF": "Performance: performance measurement and evaluation, queueing, and simulation",
        "cs.SE": (
            "Software Engineering: design tools, software metrics, testing and debugging, programming environments"
        ),
        "cs.SI": (
            "Social and Information Networks: design, analysis, and modeling of social and information networks,"
            " their applications for online information access, communication, and interaction"
        ),
        "cs.SY": (
            "Systems and Control: automatic control systems; modeling, simulation and optimization; nonlinear,"
            " distributed, adaptive, stochastic and robust control, hybrid and discrete event systems; automotive and"
            " aerospace control, network control, cooperative control, sensor networks, cyber-physical and energy"
            " systems"
        ),
        "econ.GN": "General Economics: methodological, applied, and empirical contributions to economics",
        "eess.SP": (
            "Signal Processing: signal and data analysis, detection and parameter estimation; speech, audio, sonar,"
            " radar, geophysical, physiological, medical, image, video and communication signals; statistical signal"
            " processing, spectral estimation, system identification, filter design, adaptive filtering, compressive"
            " sampling, sensing, sensor arrays, beamforming, communications"
        ),
        "eess.SY": (
            "Systems and Control: automatic control systems; modeling, simulation and optimization; nonlinear,"
            " distributed, adaptive, stochastic and robust control, hybrid and discrete event systems; automotive and"
            " aerospace control, network control, cooperative control, sensor networks, cyber-physical and energy"
            " systems"
        ),
        "math.IT": "Information Theory: theoretical and experimental aspects of information theory and coding",
        "physics.med-ph": (
            "Medical Physics: radiation therapy, radiation dosimetry, biomedical imaging modelling, reconstruction,"
            " processing and analysis, health physics, imaging and therapy modalities"
        ),
        "q-bio.NC": (
            "Neurons and Cognition: synapse, cortex, neuronal dynamics, neural network, sensorimotor control,"
            " behavior, attention"
        ),
        "q-bio.QM": (
            "Quantitative Methods in Biology: experimental, numerical, statistical and mathematical contributions of"
            " value to biology"
        ),
        "stat.AP": (
            "Applications of Statistics: biology, education, epidemiology, engineering, environmental sciences,"
            " medical, physical sciences, quality control, social sciences"
        ),
        "stat.ML": (
            "Machine Learning in Statistics: supervised, unsupervised and semi-supervised learning, graphical models,"
            " reinforcement learning, bandits, high dimensional inference"
        ),
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
