# The pages in a container:
#   docker build --target cpu -t warplens .     &&  docker run -p 8866:8866 warplens
#   docker build --target cuda -t warplens-cuda . && docker run --gpus all -p 8866:8866 warplens-cuda
# The address with its token is printed; choose the token with -e WARPLENS_TOKEN=...

FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim AS cpu
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[app]" && useradd --create-home warplens
USER warplens
WORKDIR /home/warplens
EXPOSE 8866
# As the first process of the container it gets the signals, and ends its page processes itself.
ENTRYPOINT ["warplens"]
CMD ["serve", "--host", "0.0.0.0", "--no-browser"]

# The driver comes from the host, through NVIDIA's container toolkit; CuPy and the compiler from pip.
FROM cpu AS cuda
USER root
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[app,cuda12]"
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER warplens
