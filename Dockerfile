# The shop as a container image (docs/how-to/run-in-a-container.md).
# Building needs Node.js and npm. The finished image needs neither: the shop brings its own Node.
# A tag can change its content, a digest cannot: docs/how-to/run-in-a-container.md says how to pin both.
ARG BUILD_IMAGE=docker.io/library/node:22-bookworm-slim
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# The shop's own Node needs it, and small images lack it.
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/shop
COPY . .
# The folder with the look of the shop's brand (docs/how-to/brand.md).
ARG BRAND=
# The variables that the container will have and that need packages of their own, separated by spaces (package.json, "config").
ARG CONFIGURED=
RUN NODE_ENV=production npm run build

FROM ${BASE_IMAGE}
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
# A number of its own, which is no user's of the host.
RUN groupadd --gid 10001 shop \
 && useradd --uid 10001 --gid shop --home-dir /var/lib/shop --shell /usr/sbin/nologin shop \
 && install -d -m 700 -o shop -g shop /var/lib/shop
COPY --from=build /srv/shop /srv/shop
COPY deploy/shop-command /usr/local/bin/shop
RUN ln -s /srv/shop/node_modules/node-linux-*/bin/node /usr/local/bin/node

WORKDIR /srv/shop
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/shop
ARG BRAND=
ENV BRAND=${BRAND}
USER 10001:10001
VOLUME /var/lib/shop
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/start.mjs"]
