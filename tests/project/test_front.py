"""The front door: what is refused before a thread works on it, and what reaches the application behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from errno import ETIMEDOUT
from io import BytesIO
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET, socket
from threading import Event
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from django.core.exceptions import TooManyFieldsSent
from django.test import Client
from granian.rsgi import ProtocolClosed
from whitenoise.responders import SlicedFile

from core.blade.parsers import FORM_FRAME, StrictJSONParser
from core.project import urls
from core.project.front.callers import Caller, is_call, longest
from core.project.front.gateway import Gateway
from core.project.front.lines import end_unread_answers
from core.project.front.rates import Counters, Rate
from core.project.front.reception import MEGABYTE, Pace, Reception
from core.project.front.refusals import Busy
from core.storage.kinds import LONGEST
from tests.cast import Cast

UPLOAD = "/api/blade-resource/oss/endpoint/put-file"
SHEET = "/api/yuzhu-equip/inspectmachine/import"
USUAL = 2 * MEGABYTE
SLOW = Pace(grace=0.1, least_a_second=64 * MEGABYTE, most=0.3)


class Wire:
    """A connection: the pieces of a body that come, and the answer. A piece that is None never comes."""

    def __init__(self, *pieces: bytes | None):
        self.pieces, self.taken, self.answer = pieces, 0, ()

    async def _next(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            if piece is None:
                await asyncio.Event().wait()
            assert piece is not None
            self.taken += len(piece)
            yield piece

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._next()

    async def __call__(self) -> bytes:
        return b"".join([piece async for piece in self._next()])

    def response_bytes(self, *answer: Any) -> None:
        self.answer = answer

    response_file_range = response_bytes

    @property
    def told(self) -> tuple[int, str]:
        """Status, and the code word of a refusal."""
        return self.answer[0], orjson.loads(self.answer[2]).get("error", "")

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.answer[1])


class Front:
    """A gateway before an application that answers with the length of the body that it read."""

    def __init__(self, folder: Path, pace: Pace | None = None, **rates: Rate):
        self.folder, self.seen = folder, list[dict[str, Any]]()
        self.reception = Reception(folder / "bodies", pace)
        counters = Counters(folder / "calls", b"key")
        self.gateway = Gateway(self._work, threads=1, reception=self.reception, counters=counters, rates=rates)

    def _work(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        self.seen.append(environ)
        start_response("200 OK", [])
        read = len(environ["wsgi.input"].read())
        assert str(read) == environ["CONTENT_LENGTH"]
        return _Answer([b'{"read":%d}' % read])

    def ask(
        self, *wires: Wire | tuple[Wire, str], path: str = "/api/x/y", peer: str = "10.0.0.9", given: Any = (),
        **headers: Any,
    ) -> None:  # fmt: skip
        """Let these connections ask at the same moment, one that names a path for that one."""
        named = [(name.replace("_", "-"), str(value)) for name, value in headers.items()]
        asked = [wire if isinstance(wire, tuple) else (wire, path) for wire in wires]

        def scope(path: str) -> Any:
            return SimpleNamespace(
                client=f"{peer}:4711", server="10.0.0.1:80", method="POST", path=path, query_string="",
                http_version="1.1", scheme="http", headers=SimpleNamespace(items=lambda: [*named, *given]),
            )  # fmt: skip

        async def all_of_them() -> None:
            self.gateway.__rsgi_init__(asyncio.get_running_loop())
            await asyncio.gather(*(self.gateway.__rsgi__(scope(path), wire) for wire, path in asked))

        asyncio.run(all_of_them())
        assert list((self.folder / "bodies").iterdir()) == []
        assert [room.held for room in (self.reception._strangers, self.reception._people)] == [0, 0]


class _Answer(list[bytes]):
    def close(self) -> None:
        """As Django's responses have it."""


@pytest.fixture
def front(tmp_path: Path) -> Front:
    return Front(tmp_path)


@pytest.fixture
def token(cast: Cast) -> str:
    return f"bearer {cast.client_for('tenant_admin').token}"


@pytest.fixture(params=["declared", "chunked"])
def framing(request: pytest.FixtureRequest) -> Callable[[int], dict[str, Any]]:
    """How the length of a body is told."""
    return {
        "declared": lambda length: {"content_length": length},
        "chunked": lambda _length: {"transfer_encoding": "chunked"},
    }[request.param]


def _pieces(length: int) -> Iterator[bytes]:
    for begin in range(0, length, 65536):
        yield b"x" * min(65536, length - begin)


@pytest.mark.parametrize("length", [1, 70_000, USUAL])
def test_a_body_reaches_the_application_whole(front: Front, framing: Any, length: int) -> None:
    wire = Wire(*_pieces(length))
    front.ask(wire, **framing(length))
    assert (wire.answer[0], wire.answer[2]) == (200, b'{"read":%d}' % length)


def test_a_stranger_sends_no_more_than_the_usual_anywhere(front: Front, framing: Any) -> None:
    wire = Wire(*_pieces(4 * USUAL))
    front.ask(wire, path=UPLOAD, blade_auth="bearer aa.bb.cc", **framing(10**9))
    assert (wire.told, front.seen) == ((413, "input.tooBig"), [])
    assert wire.taken <= USUAL + 65536
    assert wire.taken == 0 or "transfer_encoding" in framing(0)
    assert wire.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "most"), [(UPLOAD, LONGEST + FORM_FRAME), (SHEET, 5 * MEGABYTE + FORM_FRAME), ("/api/nowhere", USUAL)]
)
def test_a_call_takes_of_people_what_it_declares(cast: Cast, path: str, most: int) -> None:
    assert longest("POST", path, Caller("10.0.0.9", "1", "100001"), None) == most
    assert longest("GET", path, Caller("10.0.0.9", "1", "100001"), None) == USUAL
    assert longest("POST", path, Caller("10.0.0.9"), None) == USUAL


def test_people_upload_more_and_a_long_body_is_a_file_that_nobody_finds(front: Front, framing: Any, token: str) -> None:
    wire = Wire(*_pieces(2 * USUAL))
    front.ask(wire, path=UPLOAD, blade_auth=token, **framing(2 * USUAL))
    assert wire.answer[2] == b'{"read":%d}' % (2 * USUAL)


@pytest.mark.parametrize("begun", [(None,), (b"x" * 70_000, None)])
def test_a_body_that_does_not_come_is_refused_in_time_and_takes_no_thread(
    tmp_path: Path, framing: Any, begun: Any
) -> None:
    front = Front(tmp_path, SLOW)
    wires = [Wire(*begun) for _ in range(4)]
    front.ask(*wires, accept_language="en", **framing(100_000))
    assert [wire.told for wire in wires] == [(408, "input.tooSlow")] * 4
    assert orjson.loads(wires[0].answer[2])["msg"].startswith("The request body came in too slowly")
    assert front.seen == []


def test_one_address_sends_sixteen_bodies_at_once(tmp_path: Path, framing: Any) -> None:
    front = Front(tmp_path, SLOW)
    wires = [Wire(None) for _ in range(20)]
    front.ask(*wires, **framing(9))
    assert sorted(wire.told[0] for wire in wires) == [408] * 16 + [429] * 4


def test_strangers_cannot_fill_the_room_of_people(tmp_path: Path) -> None:
    reception, stranger, person = Reception(tmp_path), Caller("10.0.0.9"), Caller("10.0.0.9", "1", "100001")
    with ExitStack() as held:
        for _ in range(32):
            held.enter_context(reception.holding(stranger, None, USUAL))
        with pytest.raises(Busy):
            held.enter_context(reception.holding(stranger, 1, USUAL))
        for _ in range(25):
            held.enter_context(reception.holding(person, LONGEST, LONGEST))
        with pytest.raises(Busy):
            held.enter_context(reception.holding(person, LONGEST, LONGEST))
    held.enter_context(reception.holding(stranger, 1, USUAL))


@pytest.mark.parametrize(("asked", "part"), [(None, (0, 300)), ((5, 9), (5, 10))])
def test_a_file_is_handed_to_the_server_and_not_read(front: Front, tmp_path: Path, asked: Any, part: Any) -> None:
    path, wire, closed = tmp_path / "a.bin", Wire(), list[bool]()
    path.write_bytes(b"x" * 300)

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        start_response("206 Partial Content", [])
        file: Any = path.open("rb")
        file = SlicedFile(file, *asked) if asked else file
        wrapped = environ["wsgi.file_wrapper"](file, 4096)
        wrapped.close = lambda: (file.close(), closed.append(True))
        return wrapped

    front.gateway._application = answer
    front.ask(wire)
    assert (wire.answer, closed) == ((206, [], str(path), *part), [True])


def test_a_call_that_fails_outside_everything_is_answered(front: Front, caplog: pytest.LogCaptureFixture) -> None:
    front.gateway._application = lambda *_given: 1 / 0
    wires = [Wire(), Wire()]
    front.ask(*wires)
    assert [wire.told for wire in wires] == [(500, "server.error")] * 2
    assert "ZeroDivisionError" in caplog.text


def test_who_goes_away_while_sending_is_forgotten(front: Front) -> None:
    wire = Wire(b"x" * 70_000)

    async def broken() -> Any:
        yield b"x" * 70_000
        raise ProtocolClosed

    wire._next = broken  # type: ignore[method-assign]
    front.ask(wire, transfer_encoding="chunked")
    assert front.seen == []


def test_health_is_answered_while_every_thread_is_busy(front: Front) -> None:
    told, others = Event(), Wire()

    def work(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if environ["PATH_INFO"] == "/healthz":
            told.set()
        else:
            assert told.wait(20), "health waits for a thread that works for people"
        start_response("200 OK", [])
        return _Answer([environ["PATH_INFO"].encode()])

    front.gateway._application = work
    wire, health = Wire(), Wire()
    front.ask((wire, "/api/x/y"), (others, "/healthz/x"), (health, "/healthz"))
    assert [each.answer[2] for each in (wire, others, health)] == [b"/api/x/y", b"/healthz/x", b"/healthz"]


def test_who_reads_nothing_loses_the_connection() -> None:
    with socket() as listening, socket() as client:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert end_unread_answers(milliseconds=500) >= 1
        client.setsockopt(SOL_SOCKET, SO_RCVBUF, 4096)
        client.connect(listening.getsockname())
        line, _peer = listening.accept()
        with line:
            line.settimeout(20)
            with pytest.raises(TimeoutError) as ended:
                line.sendall(b"x" * 50_000_000)
            assert ended.value.errno == ETIMEDOUT, "it was the test that gave up"


def test_a_header_with_an_underscore_is_not_taken_for_another(front: Front) -> None:
    given = [("x-forwarded-for", "1.1.1.1"), ("x_forwarded_for", "2.2.2.2"), ("blade_auth", "bearer a"), ("x-a", "b")]
    front.ask(Wire(), given=[*given, ("x-a", "c")])
    (environ,) = front.seen
    assert {name: value for name, value in environ.items() if name.startswith("HTTP_")} == {
        "HTTP_X_FORWARDED_FOR": "1.1.1.1",
        "HTTP_X_A": "b,c",
    }


def test_who_asks_too_often_is_told_when_to_come_again(tmp_path: Path, token: str) -> None:
    front = Front(tmp_path, address=Rate(0.5, 3), person=Rate(0.5, 2), tenant=Rate(0.5, 1000))
    strangers, people, others, files = ([Wire(b"x") for _ in range(5)] for _ in range(4))
    front.ask(*strangers, content_length=1)
    assert [wire.told[0] for wire in strangers] == [200] * 3 + [429] * 2
    assert (strangers[4].told[1], strangers[4].headers["Retry-After"]) == ("request.tooMany", "2")
    assert strangers[4].taken == 1, "a body left unread ends the connection before the answer is read"
    front.ask(*people, content_length=1, blade_auth=token)  # behind the same address
    assert [wire.told[0] for wire in people] == [200] * 2 + [429] * 3
    front.ask(*others, content_length=1, peer="10.0.0.8")
    assert [wire.told[0] for wire in others] == [200] * 3 + [429] * 2
    front.ask(*files, content_length=1, path="/healthz")
    assert [wire.told[0] for wire in files] == [200] * 5


def test_counters_are_paid_off_and_shared(tmp_path: Path) -> None:
    now = [100.0]
    one, other = (Counters(tmp_path / "calls", b"key", lambda: now[0]) for _ in range(2))
    person, tenant = ("person 1", Rate(2, 3)), ("tenant 1", Rate(1, 5))
    assert [each.take([person, tenant]) for each in (one, other, one)] == [0, 0, 0]
    assert other.take([person, tenant]) == 0.5
    now[0] += 0.5
    assert one.take([person, tenant]) == 0
    assert one.take([person]) == 0.5
    # What one counter refuses has not been counted on the others.
    assert [one.take([tenant]) for _ in range(2)] == [0, pytest.approx(0.5)]
    now[0] += 60
    assert [one.take([person]) for _ in range(4)] == [0, 0, 0, 0.5]
    now[0] = 1.0  # the machine was started again
    assert [other.take([person]) for _ in range(4)] == [0, 0, 0, 0.5]


def test_a_crowd_of_strangers_costs_no_memory_and_frees_nobody(tmp_path: Path) -> None:
    counters, rate = Counters(tmp_path / "calls", b"key", lambda: 100.0), Rate(1, 1000)
    for _ in range(1000):
        counters.take([("person 1", rate)])
    for number in range(20_000):
        counters.take([(f"address {number}", rate)])
    assert counters.take([("person 1", rate)]) > 0
    assert (tmp_path / "calls").stat().st_size == MEGABYTE


def test_every_call_is_counted_and_no_file_of_the_console_is() -> None:
    names = {str(call.pattern).strip("^").partition("/")[0] for call in urls.calls}
    assert [name for name in sorted(names) if not is_call(f"/{name}/x")] == []
    assert is_call("/api/x")
    assert [path for path in ("/healthz", "/", "/assets/a.js", "/wel/index", "/apix") if is_call(path)] == []


def test_a_refusal_outside_every_call_is_not_stored() -> None:
    answer = Client().get("/api/nowhere")
    assert (answer.status_code, answer["Cache-Control"]) == (404, "no-store")


def test_an_object_has_a_thousand_fields_at_most() -> None:
    read = StrictJSONParser().parse
    assert len(read(BytesIO(orjson.dumps({str(number): 1 for number in range(1000)})))) == 1000
    with pytest.raises(TooManyFieldsSent):
        read(BytesIO(orjson.dumps({str(number): 1 for number in range(1001)})))
