"""Every pass has a test: goldens in tests/core/passes/<pass>/ or a <pass>_test.cpp beside it."""

from common import ROOT, finish, name, sources


def has_test(file):
    goldens = ROOT / "tests/core/passes"
    folders = (goldens / spelling for spelling in (file.stem, file.stem.replace("_", "-")))
    beside = file.with_name(file.stem + "_test.cpp")
    return beside.exists() or any(f.is_dir() and any(f.iterdir()) for f in folders)


def is_part(file, files):
    """fuse_horizontal.cpp is a part of fuse.cpp and tested with it."""
    return any(file.stem.startswith(other.stem + "_") for other in files)


files = [f for f in sources(".cpp", folders=["lang/passes"])
         if f.name != "pipeline.cpp" and not f.name.endswith("_test.cpp")]
finish([f"{name(f)}: no golden folder and no unit test"
        for f in files if not is_part(f, files) and not has_test(f)])
