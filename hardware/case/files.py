"""Files of the case: 3MF to print, STEP to change, GLB to look at."""

import json
import struct
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from manifold3d import Manifold

from hardware.case.bodies import RGB
from hardware.texts import mark

_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>'
    "</Types>"
)
_LINKS = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
STEP_MM = 0.005
"""Places in the GLB are whole numbers of this; 16 bits reach 163 mm; chosen."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def write_3mf(path: Path, name: str, solid: Manifold) -> None:
    """Write one solid in mm, standing on the bed in the middle of a bed of 180 mm.

    The mark of the body is its title, and part of the name that a slicer shows.
    """
    low = solid.bounding_box()
    middle = ((low[0] + low[3]) / 2, (low[1] + low[4]) / 2)
    mesh = solid.translate([90 - middle[0], 90 - middle[1], -low[2]]).to_mesh64()
    points = "".join(
        f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>'
        for x, y, z in np.asarray(mesh.vert_properties)[:, :3]
    )
    faces = "".join(
        f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in np.asarray(mesh.tri_verts)
    )
    model = (
        '<?xml version="1.0" encoding="UTF-8"?><model unit="millimeter" xml:lang="en" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">'
        f'<metadata name="Title">{mark()}</metadata><resources>'
        f'<object id="1" name="{name}, {mark()}" type="model"><mesh><vertices>{points}</vertices>'
        f"<triangles>{faces}</triangles></mesh></object></resources>"
        '<build><item objectid="1"/></build></model>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for inner, text in (
            ("[Content_Types].xml", _TYPES),
            ("_rels/.rels", _LINKS),
            ("3D/3dmodel.model", model),
        ):
            packed.writestr(zipfile.ZipInfo(inner, _LONG_AGO), text, zipfile.ZIP_DEFLATED)


_STEP = Path(__file__).with_name("part.step")
"""A STEP file around the faces of one solid."""


def write_step(path: Path, name: str, solid: Manifold) -> None:
    """Write one solid in mm as STEP (ISO 10303-214), its flat faces as polygons with holes."""
    mesh = solid.simplify(2 * STEP_MM).to_mesh64()
    points = np.asarray(mesh.vert_properties)[:, :3]
    rows = [f"CARTESIAN_POINT('',({x:.4f},{y:.4f},{z:.4f}))" for x, y, z in points]
    faces: list[str] = []

    def add(row: str) -> str:
        rows.append(row)
        return f"#{len(rows) + _FIRST - 1}"

    for normal, loops in flat_faces(points, np.asarray(mesh.tri_verts)):
        bounds = [
            add(f"FACE_{'OUTER_' * (n == 0)}BOUND('',{add(_poly_loop(loop))},.T.)")
            for n, loop in enumerate(loops)
        ]
        way = add("DIRECTION('',({:.6f},{:.6f},{:.6f}))".format(*normal))
        place = add(f"AXIS2_PLACEMENT_3D('',#{loops[0][0] + _FIRST},{way},$)")
        plane = add(f"PLANE('',{place})")
        faces.append(add(f"FACE_SURFACE('',({','.join(bounds)}),{plane},.T.)"))
    told = "\n".join(f"#{number}={row};" for number, row in enumerate(rows, _FIRST))
    head = _STEP.read_text("utf-8")
    path.write_text(head.format(mark=mark(), name=name, faces=",".join(faces), rows=told))


_FIRST = 18
"""The number of the first point in a STEP file."""


def _poly_loop(loop: Sequence[int]) -> str:
    return f"POLY_LOOP('',({','.join(f'#{corner + _FIRST}' for corner in loop)}))"


def flat_faces(
    points: np.ndarray, faces: np.ndarray
) -> Iterator[tuple[np.ndarray, list[list[int]]]]:
    """Yield the flat faces of a closed mesh: the normal, the outer loop, and those of its holes.

    Triangles that share an edge and a plane are one face; one that touches itself at a corner
    stays in triangles.
    """
    cross = np.cross(*(points[faces[:, n]] - points[faces[:, 0]] for n in (1, 2)))
    normals = cross / np.maximum(np.linalg.norm(cross, axis=1), 1e-12)[:, None]
    owner = {(face[n - 1], face[n]): at for at, face in enumerate(faces.tolist()) for n in range(3)}
    left = set(range(len(faces)))
    for seed in np.argsort(-np.linalg.norm(cross, axis=1)).tolist():
        if seed not in left:
            continue
        left.remove(seed)
        group, ends = [seed], dict[int, int]()
        is_simple = True
        for at in group:
            for n in range(3):
                one, other = faces[at, n - 1], faces[at, n]
                beside = owner[other, one]
                off = np.abs((points[faces[beside]] - points[one]) @ normals[seed]).max()
                if beside in left and off < FLAT_MM and normals[beside] @ normals[seed] > 0.99:
                    left.remove(beside)
                    group.append(beside)
        inside = set(group)
        for at in group:
            for n in range(3):
                one, other = faces[at, n - 1].item(), faces[at, n].item()
                if owner[other, one] not in inside:
                    is_simple &= one not in ends
                    ends[one] = other
        if not is_simple:
            yield from ((normals[at], [faces[at].tolist()]) for at in group)
            continue
        loops = []
        while ends:
            loop = [min(ends)]
            while (end := ends.pop(loop[-1])) != loop[0]:
                loop.append(end)
            loops.append(loop)
        size = [np.ptp(points[loop], axis=0).sum() for loop in loops]
        order = np.argsort(size)[::-1]
        yield normals[seed], [loops[n] for n in order]


FLAT_MM = 1e-3
"""How far corners of a flat face may be off its plane; chosen."""


def write_glb(path: Path, parts: Sequence[tuple[str, Manifold, RGB, float]]) -> None:
    """Write solids as a binary glTF 2.0 in metres, y up, one node each.

    ``parts`` are name, solid, colour and the way in mm that it moves in an exploded view; the way
    stands in the node's ``extras`` as ``lift`` in metres. Places are whole numbers of `STEP_MM`,
    and normals bytes (``KHR_mesh_quantization``): half the size of numbers with a point.
    """
    data = BytesIO()
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    nodes: list[dict[str, Any]] = []
    meshes: list[dict[str, Any]] = []
    materials: list[dict[str, Any]] = []

    def add(array: np.ndarray, accessor: dict[str, Any]) -> int:
        """Add rows of numbers, each row on a multiple of 4 bytes."""
        is_vertex = array.ndim == 2
        view = {"buffer": 0, "byteOffset": data.tell(), "target": 34962 if is_vertex else 34963}
        stride = -(-array.itemsize * 3 // 4) * 4
        if is_vertex:
            table = np.zeros((len(array), stride // array.itemsize), dtype=array.dtype)
            table[:, :3] = array
            view["byteStride"] = stride
        else:
            table = array
        views.append({**view, "byteLength": table.nbytes})
        data.write(table.tobytes())
        data.write(b"\0" * (-data.tell() % 4))
        accessors.append({"bufferView": len(views) - 1, "count": len(array), **accessor})
        return len(accessors) - 1

    for name, solid, colour, lift in parts:
        mesh = solid.calculate_normals(0, 35.0).to_mesh()
        table = np.asarray(mesh.vert_properties, dtype=np.float64)
        turned = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        place = np.rint(table[:, :3] @ turned / STEP_MM).astype("<i2")
        normal = np.rint(table[:, 3:6] @ turned * 127).astype("i1")
        faces = np.asarray(mesh.tri_verts, dtype="<u2").reshape(-1)
        if len(table) > 65_535:
            raise ValueError(f"{name} has {len(table)} corners, more than an index of 16 bits")
        places = {
            "componentType": 5122, "type": "VEC3",
            "min": place.min(axis=0).tolist(), "max": place.max(axis=0).tolist(),
        }  # fmt: skip
        normals = {"componentType": 5120, "type": "VEC3", "normalized": True}
        primitive = {
            "attributes": {"POSITION": add(place, places), "NORMAL": add(normal, normals)},
            "indices": add(faces, {"componentType": 5123, "type": "SCALAR"}),
            "material": len(materials),
        }
        linear = [round((value / 255) ** 2.2, 4) for value in colour]
        materials.append(
            {"name": name, "pbrMetallicRoughness": {
                "baseColorFactor": [*linear, 1], "metallicFactor": 0, "roughnessFactor": 0.7}}
        )  # fmt: skip
        meshes.append({"name": name, "primitives": [primitive]})
        nodes.append(
            {"name": name, "mesh": len(meshes) - 1, "scale": [STEP_MM / 1000] * 3,
             "extras": {"lift": lift / 1000}}
        )  # fmt: skip
    binary = data.getvalue()
    head = {
        "asset": {"version": "2.0", "extras": {"state": mark()}},
        "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}],
        "extensionsUsed": ["KHR_mesh_quantization"],
        "extensionsRequired": ["KHR_mesh_quantization"],
        "nodes": nodes, "meshes": meshes, "materials": materials, "accessors": accessors,
        "bufferViews": views, "buffers": [{"byteLength": len(binary)}],
    }  # fmt: skip
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(binary)
    path.write_bytes(
        struct.pack("<4sII", b"glTF", 2, total)
        + struct.pack("<I4s", len(text), b"JSON") + text
        + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    )  # fmt: skip
