"""docker-py over DOCKER_HOST. Writes what it saw as JSON."""

import io
import json
import tarfile
import time

import docker
from docker import types

client = docker.from_env(version="auto")
facts = {"apiVersion": client.api._version}

# The daemon has run no container yet: its log thread is only starting.
facts["first"] = client.containers.run("busybox", "echo first", remove=True).decode()
facts["streams"] = client.containers.run("busybox", ["sh", "-c", "echo out; echo err >&2"], stderr=True, remove=True).decode()
try:
    client.containers.run("busybox", ["sh", "-c", "echo bad >&2; exit 3"], remove=True)
except docker.errors.ContainerError as error:
    facts["error"] = [error.exit_status, error.stderr.decode()]
facts["terminal"] = client.containers.run("busybox", "echo terminal", tty=True, remove=True).decode()

pool = types.IPAMPool(subnet="10.55.0.0/24", gateway="10.55.0.1")
network = client.networks.create("front", ipam=types.IPAMConfig(pool_configs=[pool]), labels={"a": "b"})
second = client.networks.create("back", internal=True)
client.volumes.create("data")
container = client.containers.run(
    "busybox",
    "sleep 1000",
    detach=True,
    name="web",
    init=True,
    mem_limit="64m",
    nano_cpus=500_000_000,
    pids_limit=50,
    environment={"WORD": "given"},
    hostname="webhost",
    volumes={"data": {"bind": "/data", "mode": "rw"}},
    mounts=[types.Mount("/again", "data", read_only=True), types.Mount("/scratch", None, type="tmpfs", tmpfs_size=1_000_000)],
    ports={"80/tcp": ("127.0.0.1", 0)},
    network="front",
    networking_config={"front": client.api.create_endpoint_config(aliases=["alias"], ipv4_address="10.55.0.7")},
    cap_add=["NET_ADMIN"],
    ulimits=[types.Ulimit(name="nofile", soft=100, hard=200)],
    extra_hosts={"other": "192.0.2.1"},
    restart_policy={"Name": "on-failure", "MaximumRetryCount": 2},
    log_config=types.LogConfig(type="json-file", config={"max-size": "1m"}),
    healthcheck={"test": ["CMD", "true"], "interval": 1_000_000_000},
    stop_signal="SIGKILL",
    platform="linux",
)
container.reload()
facts["address"] = container.attrs["NetworkSettings"]["Networks"]["front"]["IPAddress"]
execution = container.exec_run(["sh", "-c", "echo $WORD $MORE; pwd; exit 4"], environment={"MORE": "more"}, workdir="/data")
facts["exec"] = [execution.exit_code, execution.output.decode()]
facts["demultiplexed"] = [part.decode() for part in container.exec_run(["sh", "-c", "echo out; echo err >&2"], demux=True).output]
facts["processes"] = [row[-1] for row in container.top()["Processes"]]
facts["stats"] = container.stats(stream=False)["memory_stats"]["limit"]

archive = io.BytesIO()
with tarfile.open(fileobj=archive, mode="w") as tar:
    entry = tarfile.TarInfo("file")
    entry.size = 3
    tar.addfile(entry, io.BytesIO(b"abc"))
container.put_archive("/data", archive.getvalue())
pieces, _ = container.get_archive("/again/file")
with tarfile.open(fileobj=io.BytesIO(b"".join(pieces))) as tar:
    facts["archive"] = tar.extractfile("file").read().decode()

second.connect(container, aliases=["x"])
second.reload()
facts["connected"] = [other.name for other in second.containers]
second.disconnect(container)
container.rename("renamed")
container.update(mem_limit="128m", memswap_limit="128m")
container.pause()
container.reload()
facts["paused"] = container.status
container.unpause()
facts["committed"] = container.commit("committed", "v1", changes="ENV X=y").tags
container.restart(timeout=1)
container.stop(timeout=1)
facts["exit"] = container.wait(condition="not-running")["StatusCode"]
container.remove(v=True)

removed = client.containers.create("busybox", "sh -c 'exit 5'", auto_remove=True)
events = client.events(decode=True, since=int(time.time()) - 1, filters={"container": removed.id})
removed.start()
seen = []
for event in events:
    seen.append(event["Action"])
    if event["Action"] == "destroy":
        break
facts["events"] = seen

image, lines = client.images.build(
    fileobj=io.BytesIO(b"FROM busybox\nARG WORD\nRUN echo $WORD > /word\n"), tag="built:1", buildargs={"WORD": "built"}, rm=True
)
facts["built"] = [image.tags, any("Step 3/3" in line.get("stream", "") for line in lines)]
try:
    client.images.build(fileobj=io.BytesIO(b"FROM busybox\nRUN false\n"), forcerm=True)
except docker.errors.BuildError as error:
    facts["buildError"] = error.msg
saved = b"".join(image.save(named=True))
client.images.remove("built:1")
facts["loaded"] = [loaded.tags for loaded in client.images.load(saved)] == [["built:1"]] and client.images.get("built:1").id == image.id
facts["history"] = len(image.history())

for name in ("built:1", "committed:v1"):
    client.images.remove(name, force=True)
facts["pruned"] = [
    sorted(client.networks.prune()["NetworksDeleted"]),
    client.containers.prune()["ContainersDeleted"],
    client.volumes.prune(filters={"all": True})["VolumesDeleted"],
]
facts["usage"] = sorted(client.df())
print(json.dumps(facts))
