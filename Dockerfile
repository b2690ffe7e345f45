# Seiriken by itself: npm run serve with nothing that only builds or tests. See docs/recipes.md.
ARG NODE=24-bookworm

FROM node:${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY wrangler.toml ./
COPY src ./src
COPY cli ./cli
COPY scripts ./scripts
RUN npm run bundle

FROM node:${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# typescript is an optional peer of valibot, which nothing needs when it runs
RUN npm ci --omit=dev && rm -rf node_modules/typescript

FROM node:${NODE}-slim
# the slim image has no certificates, and the runtime looks here for those of https origins
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/cert.pem
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json ./
COPY src ./src
COPY cli ./cli
RUN install -d -m 0700 -o node -g node /data
ENV NODE_ENV=production
USER node
VOLUME ["/data"]
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s CMD ["node", "cli/healthy.ts"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "cli/serve.ts", "--host", "0.0.0.0", "--data", "/data"]
