# One process of the app, not as root. `docker build --build-arg PIP_EXTRA_INDEX_URL=<PyTorch's CPU builds> .` is
# smaller by some gigabytes. compose.yaml puts a proxy and a database beside it.
FROM python:3.11-slim

ARG PIP_EXTRA_INDEX_URL=""
ARG REQUIREMENTS=requirements-class.txt
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp
# Chinese letters of PNG files
RUN apt-get update && apt-get install -y --no-install-recommends fonts-wqy-zenhei && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt requirements-class.txt requirements-ray.txt ./
RUN pip install --no-cache-dir $(printf " --requirement %s" $REQUIREMENTS) && useradd --system --uid 10001 glassformer
COPY .streamlit .streamlit
COPY app.py ./
COPY corpora corpora
COPY live live
COPY model model
COPY viz viz
COPY classroom classroom
COPY pages pages
COPY sample_checkpoints sample_checkpoints
COPY hosting/start.sh hosting/start.sh
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=3)"]
CMD ["sh", "hosting/start.sh"]
