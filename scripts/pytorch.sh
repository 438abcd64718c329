#!/bin/sh
# Install PyTorch with the Python named first, unless it is there: the CPU build where there is no NVIDIA driver. pip's
# own choice on Linux is the build for NVIDIA cards, with 4 GB of libraries that nothing can use without one.
# TORCH=cpu or TORCH=cuda chooses; TORCH_CPU is the address of PyTorch's index of CPU builds.
set -e
python=$1
requirement=$(sed -n 's/^\(torch[=~<>][^ ]*\).*/\1/p' requirements.txt)
for smi in nvidia-smi /usr/lib/wsl/lib/nvidia-smi; do
  if "$smi" -L >/dev/null 2>&1; then driver=cuda; fi
done
build=${TORCH:-${driver:-cpu}}

case $build in
cuda) ;;
cpu)
  if [ "$(uname)" = Linux ]; then
    echo "Installing PyTorch's CPU build ..."
    # once and briefly: some networks do not let this address through
    "$python" -m pip install -qq --timeout 5 --retries 0 --no-deps --index-url "$TORCH_CPU" "$requirement" 2>/dev/null ||
      echo "$TORCH_CPU does not answer: taking the build that pip finds."
  fi ;;
*)
  echo "TORCH is \"$build\": write TORCH=cpu or TORCH=cuda." >&2
  exit 1 ;;
esac
"$python" -m pip install --quiet "$requirement"
"$python" -W ignore - <<'END'
import pathlib, shutil, torch

folder = pathlib.Path(torch.__file__).parent
# PyTorch's own tests and its C++ headers are a fourth of it, and nothing here uses them
for part in (folder / "test", folder / "include"):
    shutil.rmtree(part, ignore_errors=True)
for test in (*folder.glob("bin/test_*"), *folder.glob("bin/*Test")):
    test.unlink()
build, other = ("for CUDA " + torch.version.cuda, "cpu") if torch.version.cuda else ("for the CPU", "cuda")
print(f"PyTorch {torch.__version__} is the build {build}. The other one: make clean, then make run TORCH={other}")
END
