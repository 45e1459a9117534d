import { expect, test } from 'vitest';
import { ConfigurationError, readEnv } from './env.ts';

test('the server starts with an empty environment', () => {
  expect(readEnv({ HOST: '', DATABASE_URL: ' ' })).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: 'data',
    brand: null,
    mediaStore: null,
    databaseUrl: null,
    publicUrl: null,
    officeUrl: null,
    hstsSubdomains: false,
    smtpUrl: null,
    ticketPrinters: [],
    pushContact: null,
    geocoderUrl: null,
    mapTilesUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    mapAttribution: '© OpenStreetMap contributors',
    instagram: null,
    demo: true,
    demoPast: null,
    demoStaff: true,
    simulatedPayments: true,
    payments: expect.objectContaining({ stripe: null, paypal: null, braintree: null }),
    logLevel: 'info',
    webhooksAllowPrivate: false,
    workers: 1,
    production: false,
    proxyHops: 0,
    maxConnections: 4096,
    maxConnectionsPerNetwork: 256,
    metrics: null,
    traces: null,
    connectionsKey: null,
    variables: expect.any(Object),
  });
});

test('every variable is read', () => {
  const env = readEnv({
    HOST: '::1',
    PORT: '8080',
    DATA_DIR: '/srv/shop',
    BRAND: 'bookshop',
    MEDIA_URL: 's3://shop-media/maple?endpoint=http://10.0.0.6:9000&region=ca-central-1',
    DATABASE_URL: 'postgres://shop:secret@db/shop',
    PUBLIC_URL: 'https://shop.example/',
    OFFICE_URL: 'https://office.shop.example',
    HSTS_SUBDOMAINS: '1',
    SMTP_URL: 'smtps://u:p@mail.example:465',
    TICKET_PRINTERS:
      'main-street=tcp://192.168.1.50 main-street=tcp://10.0.0.7:9101?columns=32&encoding=cp858',
    WEB_PUSH_CONTACT: 'owner@shop.example',
    GEOCODER_URL: 'https://nominatim.example/search',
    MAP_TILES_URL: '/tiles/{z}/{x}/{y}.png',
    MAP_ATTRIBUTION: '© Tiles, © OpenStreetMap contributors',
    DEMO: '0',
    DEMO_PAST: '1',
    PROXY_HOPS: '2',
    MAX_CONNECTIONS: '500',
    MAX_CONNECTIONS_PER_NETWORK: '20',
    LOG_LEVEL: 'debug',
    WEBHOOKS_ALLOW_PRIVATE: '1',
    WORKERS: '4',
    METRICS_PORT: '9464',
    METRICS_HOST: '10.0.0.5',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
    CONNECTIONS_KEY: Buffer.alloc(32, 1).toString('base64'),
    NODE_ENV: 'production',
  });
  expect(env).toEqual({
    host: '::1',
    port: 8080,
    dataDir: '/srv/shop',
    brand: 'bookshop',
    mediaStore: {
      bucket: 'shop-media',
      prefix: 'maple/',
      endpoint: 'http://10.0.0.6:9000',
      region: 'ca-central-1',
    },
    databaseUrl: 'postgres://shop:secret@db/shop',
    publicUrl: 'https://shop.example',
    officeUrl: 'https://office.shop.example',
    hstsSubdomains: true,
    smtpUrl: 'smtps://u:p@mail.example:465',
    pushContact: 'mailto:owner@shop.example',
    ticketPrinters: [
      {
        store: 'main-street',
        lane: 'main-street',
        host: '192.168.1.50',
        port: 9100,
        columns: 42,
        encoding: 'gb18030',
      },
      {
        store: 'main-street',
        lane: 'main-street 2',
        host: '10.0.0.7',
        port: 9101,
        columns: 32,
        encoding: 'cp858',
      },
    ],
    geocoderUrl: 'https://nominatim.example/search',
    mapTilesUrl: '/tiles/{z}/{x}/{y}.png',
    mapAttribution: '© Tiles, © OpenStreetMap contributors',
    instagram: null,
    demo: false,
    demoPast: true,
    demoStaff: false,
    simulatedPayments: false,
    payments: expect.objectContaining({ stripe: null, paypal: null, braintree: null }),
    logLevel: 'debug',
    webhooksAllowPrivate: true,
    workers: 4,
    production: true,
    proxyHops: 2,
    maxConnections: 500,
    maxConnectionsPerNetwork: 20,
    metrics: { host: '10.0.0.5', port: 9464 },
    traces: { endpoint: 'http://collector:4318', ratio: 0.05 },
    connectionsKey: Buffer.alloc(32, 1),
    variables: expect.any(Object),
  });
});

test('every invalid variable is named at once, without its value', () => {
  const bad = {
    HOST: 'a b',
    PORT: '70000',
    MEDIA_URL: 's3://key:hunter2@shop-media/',
    DATABASE_URL: 'mysql://root:hunter2@db',
    PUBLIC_URL: 'https://shop.example/path',
    SMTP_URL: 'mail',
    TICKET_PRINTERS: 'main-street=192.168.1.50',
    WEB_PUSH_CONTACT: 'nobody',
    MAP_TILES_URL: 'https://tiles.example/map.png',
    MAP_ATTRIBUTION: 'x'.repeat(201),
    DEMO: 'perhaps',
    PROXY_HOPS: '-1',
    MAX_CONNECTIONS: '1',
    MAX_CONNECTIONS_PER_NETWORK: '0',
    LOG_LEVEL: 'loud',
    WORKERS: '0',
    METRICS_PORT: 'x',
    METRICS_HOST: 'a b',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
  };
  const error = (() => {
    try {
      return readEnv(bad);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(Object.keys((error as ConfigurationError).problems).sort()).toEqual(Object.keys(bad).sort());
  expect((error as Error).message).not.toContain('hunter2');
});

test('a shop with a public address or a payment provider’s keys is the demo only if DEMO=1 is set', () => {
  const keys = {
    STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789abcdef',
    STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  };
  const isDemo = (source: Record<string, string>) => {
    const { demo, simulatedPayments } = readEnv(source);
    return [demo, simulatedPayments];
  };
  for (const real of [keys, { PUBLIC_URL: 'https://shop.example' }]) {
    expect(isDemo(real)).toEqual([false, false]);
    expect(isDemo({ ...real, DEMO: '0' })).toEqual([false, false]);
    expect(isDemo({ ...real, DEMO: '1' })).toEqual([true, true]);
  }
  expect(isDemo({})).toEqual([true, true]);
  expect(isDemo({ DEMO: '0' })).toEqual([false, false]);
});

test('a payment provider has all its keys or none, and a test address only on this machine', () => {
  const bad = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    PAYPAL_CLIENT_ID: 'A-client-of-paypal',
    PAYPAL_MODE: 'perhaps',
    BRAINTREE_API_URL: 'https://elsewhere.example',
    BRAINTREE_THREE_D_SECURE: 'perhaps',
    BRAINTREE_MERCHANT_ACCOUNT_ID: 'no spaces',
  };
  expect(() => readEnv(bad)).toThrow(
    expect.objectContaining({
      problems: expect.objectContaining({
        STRIPE_PUBLISHABLE_KEY: expect.stringMatching(/^is missing/),
        STRIPE_WEBHOOK_SECRET: expect.stringMatching(/^is missing/),
        PAYPAL_CLIENT_SECRET: expect.stringMatching(/^is missing/),
        PAYPAL_MODE: 'must be one of sandbox, live',
        BRAINTREE_MERCHANT_ID: expect.stringMatching(/^is missing/),
        BRAINTREE_API_URL: expect.stringContaining('this machine'),
        BRAINTREE_THREE_D_SECURE: 'must be one of optional, required',
        BRAINTREE_MERCHANT_ACCOUNT_ID: 'must be the ID of a merchant account',
      }),
    }),
  );
});
