// Which tests run where: pure rules anywhere, the server's on the embedded PostgreSQL and again on the server of TEST_DATABASE_URL.
import { defineConfig } from 'vitest/config'

/** Tests of our own engines, of the process on them, and of what meets no database at all: the server of TEST_DATABASE_URL has no part in them. */
const embeddedOnly = [
  'server/features/market/{feeds,follow}/**',
  'server/**/*.embedded.test.ts',
  'server/db/open-database.test.ts',
  'server/db/pglite/*.test.ts',
  'server/db/embedded/*.test.ts',
]

const server = {
  include: ['server/**/*.test.ts'],
  environment: 'node',
  globalSetup: ['server/testing/global-setup.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Some rules are about time, such as that a stream ends within a second; a machine that stalls breaks them once, a mistake each time.
  retry: 2,
} as const

export default defineConfig({
  test: {
    // Left alone, vitest would give a machine of two cores one worker; much of what the server's tests do is waiting.
    maxWorkers: 3,
    projects: [
      // Random histories take long on a slow machine; nothing here can hang.
      { test: { name: 'shared', include: ['shared/**/*.test.ts', 'web/**/*.test.ts'], environment: 'node', testTimeout: 60_000 } },
      {
        test: {
          ...server,
          name: 'server',
          include: [...server.include],
          globalSetup: [...server.globalSetup],
          exclude: ['server/**/*.postgres.test.ts'],
        },
      },
      ...(process.env['TEST_DATABASE_URL']
        ? [
            {
              test: {
                ...server,
                name: 'server-postgres',
                include: [...server.include],
                exclude: embeddedOnly,
                globalSetup: [...server.globalSetup],
              },
            },
          ]
        : []),
    ],
  },
})
