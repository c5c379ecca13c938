// Which tests run where: pure rules anywhere, the server's on the embedded PostgreSQL and again on the server of TEST_DATABASE_URL.
import { defineConfig } from 'vitest/config'

/** Tests of our own engines, and of the process on them, which the server of TEST_DATABASE_URL has no part in. */
const embeddedOnly = [
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
} as const

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'shared', include: ['shared/**/*.test.ts', 'web/**/*.test.ts'], environment: 'node' } },
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
