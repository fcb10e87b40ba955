"""Feeds as they are, folders while files are written, and mailboxes while they grow."""

import errno
import os
import time

import pytest
from tests.unit.filtering.feeds.conftest import RSS

from bayesift.errors import BadInput, NotFound, Notice
from bayesift.filtering.feeds import SourceFailed, folder, source_of
from bayesift.filtering.feeds.limits import Limits
from bayesift.filtering.store import Workspace

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>urn:news</id>
<entry><id>tag:news.example,2026:1</id><title>Corn</title><updated>2026-11-03T10:00:00Z</updated>
<content type="html">&lt;p&gt;Corn rose&lt;/p&gt;</content><summary>short</summary></entry>
<entry><id>tag:news.example,2026:2</id><title/></entry></feed>"""
PAGE = '<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/news.xml"></head></html>'
MAIL = """From a@b.example Mon Nov  2 10:00:00 2026
Message-ID: <{n}@b.example>
Subject: Corn {n}
Date: Mon, 02 Nov 2026 10:00:00 +0100

Prices rose.

"""


def read(source):
    said = []
    found = [entry.document for entry in source.read(said.append)]
    source.confirm()
    return found, said


def test_atom_and_entries_without_text(web):
    (corn,), _ = read(source_of(web.serve("/feed", ATOM), Limits(private=True)))
    assert (corn.id, corn.title, corn.body) == ("tag:news.example,2026:1", "Corn", "Corn rose")


@pytest.mark.parametrize("feed", [RSS, ATOM])
def test_a_feed_that_is_cut_is_read_when_it_is_whole(web, feed):
    source = source_of(web.serve("/cut", feed[: len(feed) * 2 // 3]), Limits(private=True))
    with pytest.raises(SourceFailed, match="the feed ends in the middle; it is read again when it is due"):
        read(source)
    web.serve("/cut", feed)
    assert read(source)[0]
    empty = web.serve("/empty", '<rss version="2.0"><channel></channel></rss>')
    assert read(source_of(empty, Limits(private=True)))[0] == []


def test_relative_ids_of_two_feeds_differ(web):
    """Both would be the same page if they were resolved against the feed's URL; links still are."""
    for guid, page in (("1", "/feeds/1"), ("/1", "/1"), ("?p=1", "/feeds/{feed}?p=1")):
        for feed in "ab":
            body = RSS.replace('<guid isPermaLink="false">1<', f"<guid>{guid}<")
            url = web.serve(f"/feeds/{feed}", body)
            oil, corn = source_of(url, Limits(private=True)).read(print)
            assert (oil.document.id, oil.url) == (f"{url}#{guid}", web.url + page.format(feed=feed))
            assert (corn.document.id, corn.url) == (f"{url}#2", "http://news.example/2")


@pytest.mark.parametrize("guid", ["http://news.example/1", "urn:news:1", "tag:news.example,2026:1"])
def test_absolute_ids_are_the_same_in_all_feeds(web, guid):
    for feed in "ab":
        url = web.serve(f"/{feed}", RSS.replace('<guid isPermaLink="false">1<', f"<guid>{guid}<"))
        assert read(source_of(url, Limits(private=True)))[0][0].id == guid


def test_a_link_that_is_invalid_is_left_out(web):
    url = web.serve("/feed", RSS.replace("http://news.example/2<", "http://[<"))
    assert [entry.url for entry in source_of(url, Limits(private=True)).read(print)] == [None, None]


def test_a_web_page_is_not_a_feed(web):
    url = web.serve("/", PAGE, Content_Type="text/html")
    with pytest.raises(SourceFailed, match=f"is a web page, not a feed; its feed is {web.url}/news.xml"):
        read(source_of(url, Limits(private=True)))
    for body in ("", "nothing", "<a/>", "\0\1\2"):
        with pytest.raises(SourceFailed, match="is not an RSS or Atom feed"):
            read(source_of(web.serve("/x", body), Limits(private=True)))


ITEM = "<rss version='2.0'><channel><item><title>{}</title><guid>urn:1</guid></item></channel></rss>"
DAMAGED = {  # what feedparser and HTMLParser raise for them, each of another kind
    "ValueError": ITEM.format("&#x110000;").encode(),
    "UnicodeEncodeError": ITEM.format("&#xd800;").encode(),
    "UnicodeDecodeError": b"<?xml version='1.0' encoding='\xff'?>" + ITEM.format("a").encode(),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_feed_is_an_error_with_its_address(web, tmp_path, kind):
    url, file = web.serve("/feed", DAMAGED[kind]), tmp_path / "feed.xml"
    file.write_bytes(DAMAGED[kind])
    for name in (url, str(file)):
        with pytest.raises(SourceFailed, match=f"^{name}: cannot be read: {kind}: .*; look at it, or tell its owner"):
            read(source_of(name, Limits(private=True)))


def test_a_damaged_page_is_a_page(web):
    link = "<link rel='alternate' type='application/rss+xml' href='{}'>"
    pages = ("<html><head>" + link.format("http://[") + link.format("/news.xml"),
             "<html><head>" + link.format("/news.xml") + "<![foo[")  # fmt: skip
    for page in pages:
        with pytest.raises(SourceFailed, match=f"is a web page, not a feed; its feed is {web.url}/news.xml"):
            read(source_of(web.serve("/", page), Limits(private=True)))


def test_a_saved_feed_that_was_removed_is_an_error_of_the_source(tmp_path):
    (tmp_path / "feed.xml").write_text(ATOM)
    source = source_of(str(tmp_path / "feed.xml"))
    (tmp_path / "feed.xml").unlink()
    with pytest.raises(SourceFailed, match=r"feed\.xml: cannot be read: No such file"):
        read(source)


def test_an_entry_that_is_too_long_is_cut(web):
    url = web.serve("/feed", RSS.replace("Prices fell.", "word " * 1000))
    (oil, corn), said = read(source_of(url, Limits(private=True, text=100)))
    assert (len(oil.body), corn.body) == (100, "The harvest was good.")
    assert said == [f"{url}#1 has 4,999 characters; the first 100 are read"]


def test_entities_of_a_feed_open_no_file(tmp_path, web):
    (tmp_path / "secret").write_text("secret")
    evil = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{tmp_path}/secret"><!ENTITY y "{"lol" * 100}">]>'
    url = web.serve("/feed", evil + RSS.partition("?>")[2].replace("Prices fell.", "Prices &x; fell &y;"))
    documents, _ = read(source_of(url, Limits(private=True)))
    assert not any("secret" in d.body for d in documents)


def test_an_entry_of_the_future_has_the_present_date(web):
    url = web.serve("/feed", RSS.replace("2026", "2999"))
    documents, _ = read(source_of(url, Limits(private=True)))
    assert all(d.date < "2999" for d in documents)


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
def test_a_blank_name_is_an_error_and_not_the_working_directory(name):
    with pytest.raises(BadInput, match="has no name; give a URL with https://"):
        source_of(name)


def test_a_name_that_is_too_long_for_a_file_is_an_error():
    with pytest.raises(BadInput, match=r"^x{80}: cannot be read: File name too long; give a URL with https://"):
        source_of("x" * 5000)


def test_a_saved_feed(tmp_path):
    (tmp_path / "feed.xml").write_text(RSS)
    source = source_of(str(tmp_path / "feed.xml"))
    assert [d.title for d in read(source)[0]] == ["Oil", "Corn & wheat"]
    assert read(source)[0] == []


def old(path, text, seconds=10):
    path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def test_a_folder_yields_new_files_once(tmp_path):
    old(tmp_path / "b.txt", "Corn rose\n\nIt rose.", 20)
    old(tmp_path / "a.html", "<h1>Oil</h1> fell", 10)
    old(tmp_path / "c.eml", MAIL.format(n=1).partition("\n")[2], 5)
    (tmp_path / "inner").mkdir()
    old(tmp_path / "inner" / "d.md", "# Title\nText")
    for name in (".hidden.txt", "picture.png"):
        old(tmp_path / name, "x")
    source = source_of(str(tmp_path))
    found, said = read(source)
    assert [(d.id, d.title, d.body) for d in found] == [
        ("b.txt", "Corn rose", "It rose."), ("a.html", "a", "Oil fell"), ("inner/d.md", "Title", "Text"),
        ("1@b.example", "Corn 1", "Prices rose."),
    ]  # fmt: skip
    assert said == []
    assert read(source)[0] == []
    old(tmp_path / "e.txt", "New", 3)
    assert [d.id for d in read(source)[0]] == ["e.txt"]


@pytest.mark.parametrize(
    ("page", "title", "body"),
    [
        ("<head>\n<TITLE>Corn\n &amp; oil</TITLE></head><body><p>Corn rose.</p></body>", "Corn & oil", "Corn rose."),
        ("<title></title>Corn", "page", "Corn"),
        ("<body><svg><title>Logo</title></svg>Corn", "page", "Logo Corn"),
        ("<title>Corn</p>", "page", "<title>Corn"),
    ],
)
def test_a_page_in_a_folder_has_the_title_of_its_head(tmp_path, page, title, body):
    old(tmp_path / "page.html", page)
    (found,), _ = read(source_of(str(tmp_path)))
    assert (found.title, found.body) == (title, body)


def test_files_that_cannot_be_read_are_left_out(tmp_path):
    old(tmp_path / "big.txt", "x" * 2000)
    old(tmp_path / "binary.txt", b"\0\1")
    old(tmp_path / "good.txt", "Corn")
    found, said = read(source_of(str(tmp_path), Limits(size=1000)))
    assert [d.body for d in found] == ["Corn"]
    assert any("big.txt: larger than" in line for line in said)
    assert any("binary.txt: not a text file" in line for line in said)


@pytest.fixture
def forbidden(monkeypatch):
    """Paths that may not be listed, looked up or opened; the tests may run as a user who may do everything."""
    found = set()

    def unless_forbidden(real):
        def checked(path, *arguments, **options):
            if str(path) in found:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *arguments, **options)

        return checked

    for owner, name in ((os, "scandir"), (folder.Path, "stat"), (folder.Path, "open")):
        monkeypatch.setattr(owner, name, unless_forbidden(getattr(owner, name)))
    return found


def test_a_folder_that_cannot_be_listed_is_an_error_of_the_source(tmp_path, monkeypatch):
    def scandir(path):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", scandir)
    message = f"^{tmp_path}: cannot be read: Permission denied; make it readable"
    with pytest.raises(SourceFailed, match=message):
        read(source_of(str(tmp_path)))


def test_what_cannot_be_read_in_a_folder_is_said(tmp_path, forbidden):
    for inner in ("a", "b"):
        (tmp_path / inner).mkdir()
        old(tmp_path / inner / "note.txt", "Corn")
    old(tmp_path / "c.txt", "Wheat")
    forbidden |= {f"{tmp_path}/a", f"{tmp_path}/c.txt"}
    source = source_of(str(tmp_path))
    found, said = read(source)
    assert [d.id for d in found] == ["b/note.txt"]
    assert sorted(said) == [f"{tmp_path}/{name}: Permission denied; it is left out" for name in ("a", "c.txt")]
    forbidden.clear()
    assert [d.id for d in read(source)[0]] == ["a/note.txt", "c.txt"]


@pytest.mark.parametrize("name", ["report.txt", "report.html", "report.eml"])
def test_a_file_without_text_is_read_when_it_has_text(tmp_path, name):
    old(tmp_path / name, "", 30)
    source = source_of(str(tmp_path))
    found, (said,) = read(source)
    assert (found, said.startswith(f"{tmp_path}: ")) == ([], True)
    assert said.endswith(" has no text and is left out")
    old(tmp_path / name, " \n", 20)
    assert read(source)[0] == []
    old(tmp_path / name, "\nThe wheat harvest is late.", 10)
    assert [d.body for d in read(source)[0]] == ["The wheat harvest is late."]


def test_a_file_that_is_being_written_is_waited_for(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("whole text")
    begin = time.monotonic()
    (found,), _ = read(source_of(str(tmp_path)))
    assert found.body == "whole text"
    assert time.monotonic() - begin > 0.5


def test_a_file_that_never_settles_holds_up_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.feeds.settled.SETTLED", 0.01)
    log, note = tmp_path / "log.txt", tmp_path / "note.txt"
    for path, age in ((log, 100), (note, 50)):
        path.write_text("Corn")
        os.utime(path, (time.time() - age,) * 2)
    source = source_of(str(tmp_path))
    read_bytes = folder.Path.open

    def growing(path, *mode):
        if path == log:
            with read_bytes(path, "a") as file:
                file.write(" rose")
        return read_bytes(path, *mode)

    monkeypatch.setattr(folder.Path, "open", growing)
    documents, said = read(source)
    assert [d.id for d in documents] == ["note.txt"]
    assert said == [f"{log}: is still being written; it is read the next time"]
    monkeypatch.undo()
    os.utime(log, (time.time() - 10,) * 2)
    assert [d.id for d in read(source)[0]] == ["log.txt"]


@pytest.fixture
def workspace(tmp_path):
    with Workspace.create(str(tmp_path / "i.db")) as found:
        yield found


def stored(workspace, *folders):
    """Read folders as a new run does, and return the ids that are new."""
    before = {row.id for row in workspace.documents()}
    for path in folders:
        source = source_of(str(path), Limits(text=1000))
        found = [entry.document for entry in source.read(print, workspace.document)]
        workspace.add_documents(found, source=source.name)
    return {row.id for row in workspace.documents()} - before


@pytest.fixture
def folders(tmp_path):
    """Two folders that have a file of the same name."""
    for name in ("fa", "fb"):
        (tmp_path / name).mkdir()
        old(tmp_path / name / "report.txt", f"Corn of {name} " * 200)  # too long, and cut
    return tmp_path / "fa", tmp_path / "fb"


def test_files_of_the_same_name_in_two_folders(workspace, folders):
    fa, fb = folders
    assert stored(workspace, fa, fb) == {"report.txt", f"{fb}/report.txt"}
    for again in ([fa, fb], [fb, fa], [fb], [fa]):  # an id depends neither on the order nor on what else is read
        assert stored(workspace, *again) == set()
    (fa / "report.txt").unlink()
    assert stored(workspace, fa, fb) == set()
    old(fb / "note.txt", "Wheat")
    assert stored(workspace, fb) == {"note.txt"}
    assert workspace.document(f"{fb}/report.txt").source == str(fb)


def test_a_folder_keeps_its_ids_under_another_name(workspace, folders, tmp_path, monkeypatch):
    fa, fb = folders
    monkeypatch.chdir(tmp_path)
    assert stored(workspace, "fa", "fb") == {"report.txt", f"{fb}/report.txt"}
    old(fa / "report.txt", "Corn has changed")  # the first text stays, as it does with one folder
    with pytest.warns(Notice, match="came again with another text"):
        assert stored(workspace, fa, fb) == set()
    (fa / "report.txt").unlink()
    old(fa / "note.txt", "Wheat")
    assert stored(workspace, fa) == {"note.txt"}
    fa.rename(tmp_path / "moved")
    assert stored(workspace, tmp_path / "moved") == set()


def test_a_file_whose_name_is_the_id_of_another_document(workspace, folders):
    fa, _ = folders
    workspace.add_documents({"id": "report.txt", "text": "Oil"})
    assert stored(workspace, fa) == {f"{fa}/report.txt"}
    assert stored(workspace, fa) == set()


def test_a_file_name_that_is_not_text(workspace, folders):
    for path in folders:
        (path / "report.txt").rename(path / os.fsdecode(b"\xff.txt"))
    name = "\ufffd\ufffd\ufffd.txt"  # as the store writes it
    assert stored(workspace, *folders) == {name, f"{folders[1]}/{name}"}
    assert stored(workspace, *folders) == set()


def test_a_message_in_two_folders_is_one_document(workspace, folders):
    for i, path in enumerate(folders):
        (path / "report.txt").unlink()
        old(path / "a.eml", f"Message-ID: <7@farm>\n\nCorn {i}")
    with pytest.warns(Notice, match="came again with another text"):
        assert stored(workspace, *folders) == {"7@farm"}


def test_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "note.txt").write_text("Corn")
    os.mkfifo(tmp_path / "pipe.txt")
    assert [d.id for d in read(source_of(str(tmp_path)))[0]] == ["note.txt"]
    with pytest.raises(BadInput, match="is neither a file nor a folder"):
        source_of(str(tmp_path / "pipe.txt"))


def test_a_mailbox_that_grows(tmp_path):
    path = tmp_path / "mail.mbox"
    path.write_text(MAIL.format(n=1) + MAIL.format(n=2))
    source = source_of(str(path))
    found, _ = read(source)
    assert [(d.id, d.title, d.body, d.date) for d in found][1] == (
        "2@b.example", "Corn 2", "Prices rose.", "2026-11-02T09:00:00+00:00",
    )  # fmt: skip
    assert read(source)[0] == []
    with path.open("a") as file:
        file.write(MAIL.format(n=3))
    assert [d.id for d in read(source)[0]] == ["3@b.example"]
    path.write_text(MAIL.format(n=4))  # messages were removed
    assert [d.id for d in read(source)[0]] == ["4@b.example"]


@pytest.fixture
def growing(tmp_path, monkeypatch):
    """A mailbox, what is added to it part by part whenever a reader waits, and the function that adds a part."""
    path, parts = tmp_path / "mail.mbox", []

    def write(_=None):
        if parts:
            with path.open("a") as file:
                file.write(parts.pop(0))
        moment = time.time() - (0.5 if parts else 10)
        os.utime(path, (moment, moment))

    monkeypatch.setattr("bayesift.filtering.feeds.settled.time.sleep", write)
    return path, parts, write


def test_a_message_that_is_being_written_is_waited_for(growing):
    path, parts, _ = growing
    message = MAIL.format(n=2)
    path.write_text(MAIL.format(n=1) + message[:100])
    parts += [message[100:120], message[120:]]
    source = source_of(str(path))
    found, said = read(source)
    assert [(d.id, d.body) for d in found] == [("1@b.example", "Prices rose."), ("2@b.example", "Prices rose.")]
    assert (said, read(source)[0]) == ([], [])


def test_the_last_message_of_a_mailbox_that_never_settles_is_left(growing):
    path, parts, write = growing
    path.write_text(MAIL.format(n=1) + MAIL.format(n=2)[:-10])
    parts += [*MAIL.format(n=2)[-10:], "From"]
    source = source_of(str(path))
    for expected in (["1@b.example"], [], []):
        found, said = read(source)
        assert [d.id for d in found] == expected
        assert said == [f"{path}: is still being written; its last message is read the next time"]
    while parts:
        write()
    with path.open("a") as file:
        file.write(MAIL.format(n=3).removeprefix("From"))
    found, said = read(source)
    assert [(d.id, d.body) for d in found] == [("2@b.example", "Prices rose."), ("3@b.example", "Prices rose.")]
    assert (said, read(source)[0]) == ([], [])


def test_what_is_added_after_a_mailbox_has_settled_is_left(tmp_path):
    path = tmp_path / "mail.mbox"
    old(path, MAIL.format(n=1) + MAIL.format(n=2))
    source = source_of(str(path))
    messages = source.read(print)
    assert next(messages).document.id == "1@b.example"
    with path.open("a") as file:
        file.write(MAIL.format(n=3)[:-10])
    assert [entry.document.id for entry in messages] == ["2@b.example"]
    source.confirm()
    old(path, "".join(MAIL.format(n=n) for n in (1, 2, 3)))
    assert [(d.id, d.body) for d in read(source)[0]] == [("3@b.example", "Prices rose.")]


def test_a_message_that_goes_on_after_a_pause_is_read_whole(tmp_path):
    path = tmp_path / "mail.mbox"
    old(path, MAIL.format(n=1) + MAIL.format(n=2)[:-9])
    source = source_of(str(path))
    assert [d.body for d in read(source)[0]] == ["Prices rose.", "Price"]
    old(path, MAIL.format(n=1) + MAIL.format(n=2))
    assert [(d.id, d.body) for d in read(source)[0]] == [("2@b.example", "Prices rose.")]
    old(path, MAIL.format(n=1) + MAIL.format(n=2) + "\n\n" + MAIL.format(n=3))
    found, said = read(source)
    assert ([d.id for d in found], said) == (["3@b.example"], [])


def test_a_message_of_the_future_has_no_date(tmp_path):
    path = tmp_path / "mail.mbox"
    path.write_text(MAIL.format(n=1).replace("2026", "2999"))
    assert [d.date for d in read(source_of(str(path)))[0]] == [None]


def test_a_reading_that_is_not_confirmed_is_repeated(tmp_path):
    path = tmp_path / "mail.mbox"
    path.write_text(MAIL.format(n=1))
    source = source_of(str(path))
    for _ in range(2):
        assert len(list(source.read(print))) == 1
    source.confirm()
    assert list(source.read(print)) == []


def test_a_message_that_is_too_large(tmp_path):
    path = tmp_path / "mail.mbox"
    path.write_text(MAIL.format(n=1) + MAIL.format(n=2).replace("Prices", "x" * 300_000) + MAIL.format(n=3))
    found, said = read(source_of(str(path), Limits(size=100_000)))
    assert [d.id for d in found] == ["1@b.example", "3@b.example"]
    assert len(said) == 1


@pytest.mark.parametrize(
    "head",
    [b"Content-Type: text/plain; charset=no-such\n\nPrices \xff rose", b"Content-Type: multipart/mixed\n\nbroken",
     b"Subject: =?utf-8?b?!!!?=\nDate: nonsense\nMessage-ID: <<<\n\nx", b"Content-Transfer-Encoding: base64\n\n%%%"],
)  # fmt: skip
def test_damaged_messages_do_not_stop_it(tmp_path, head):
    path = tmp_path / "mail.mbox"
    path.write_bytes(b"From a@b\n" + head + b"\n\n" + MAIL.format(n=2).encode())
    found, _ = read(source_of(str(path)))
    assert found[-1].id == "2@b.example"


def test_what_is_no_source(tmp_path):
    with pytest.raises(NotFound, match="no such file or folder"):
        source_of(str(tmp_path / "missing"))
    (tmp_path / "x.csv").write_text("a,b\n")
    with pytest.raises(BadInput, match="neither a mailbox"):
        source_of(str(tmp_path / "x.csv"))
    source = source_of(str(tmp_path))
    (tmp_path / "x.csv").unlink()
    tmp_path.rmdir()
    with pytest.raises(SourceFailed, match="the folder is missing"):
        read(source)


def test_without_the_package_that_reads_feeds(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "feedparser", None)
    with pytest.raises(NotFound, match=r"pip install 'bayesift\[feeds\]'"):
        source_of("https://news.example/feed")


def test_a_link_that_leads_out_of_the_folder_is_left_out(tmp_path):
    (tmp_path / "in").mkdir()
    old(tmp_path / "secret.txt", "Corn")
    old(tmp_path / "in" / "note.txt", "Wheat")
    (tmp_path / "in" / "out.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "in" / "same.txt").symlink_to(tmp_path / "in" / "note.txt")
    found, said = read(source_of(str(tmp_path / "in")))
    assert sorted(d.id for d in found) == ["note.txt", "same.txt"]
    assert [text.endswith("a link that leads out of the folder; it is left out") for text in said] == [True]


def test_text_in_an_old_character_set_is_read(tmp_path):
    (tmp_path / "a.txt").write_bytes("Jeu vidéo élevé".encode("cp1252"))
    (tmp_path / "b.html").write_bytes('<meta charset="koi8-r"><p>пшеница</p>'.encode("koi8-r"))
    for file in tmp_path.iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    found, _ = read(source_of(str(tmp_path)))
    assert {d.body for d in found} == {"Jeu vidéo élevé", "пшеница"}


def test_lines_that_a_mailbox_quotes_are_as_they_were(tmp_path):
    old(tmp_path / "box", "From a@b Thu Jan  1 00:00:00 2026\nSubject: s\nMessage-ID: <1@b>\n\n>From here on\n>>From\n")
    (found,), _ = read(source_of(str(tmp_path / "box")))
    assert found.body == "From here on\n>>From"
