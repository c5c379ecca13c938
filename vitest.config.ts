// Which tests run where: pure rules, components in jsdom, the server on its embedded PostgreSQL and again on the server of TEST_DATABASE_URL.
import { defineConfig } from 'vitest/config'
import { translatedProject, webProject } from './web/testing/vitest-project.ts'

/** Tests of our own engine, of the process on it, and of what uses no database at all: they do not run again on the server of TEST_DATABASE_URL. */
const embeddedOnly = [
  'server/features/market-data/{feeds,failover}/**',
  'server/features/market-data/{gateway/hub,history/candle-history,licences,series-report,store/memory-candles,without-volume}.test.ts',
  'server/features/{auth/password-hasher,plans/check-plan-image,plans/read-qr}.test.ts',
  'server/{logs,config/*,db/batch-reader,mail/smtp-mailer}.test.ts',
  'server/{open-monitoring,metrics/job-runs,http/csv-line}.test.ts',
  'server/**/*.embedded.test.ts',
  'server/{engine,backup}/*.test.ts',
]

const slow = '**/*.slow.test.ts'

/** Factor for the cases of each property. */
const fewCases = { FC_RUNS: process.env['FC_RUNS'] ?? '0.5' }

const server = {
  environment: 'node',
  globalSetup: 'server/testing/global-setup.ts',
  // They only end what hangs; a busy machine takes minutes for 200 sign-ins.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Instead of a second, which a busy machine needs for some results.
  expect: { poll: { timeout: 30_000 } },
  // Modules are stateless, and loading the app for each file costs more than most files.
  isolate: false,
} as const

export default defineConfig({
  test: {
    // Much of what the server's tests do is waiting.
    maxWorkers: 3,
    projects: [
      webProject,
      translatedProject,
      {
        test: {
          name: 'unit',
          include: ['{scripts,shared,testing,web}/**/*.test.ts', 'e2e/harness/*.test.ts'],
          exclude: [slow],
          environment: 'node',
          testTimeout: 300_000,
          isolate: false,
          env: fewCases,
        },
      },
      {
        test: {
          ...server,
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['server/**/*.postgres.test.ts', slow],
          env: fewCases,
        },
      },
      ...(process.env['TEST_DATABASE_URL']
        ? [
            {
              test: {
                ...server,
                name: 'server-postgres',
                include: ['server/**/*.test.ts'],
                exclude: [...embeddedOnly, slow],
                env: fewCases,
              },
            },
          ]
        : []),
      {
        // Long ones, and the properties again with many more cases; `npm test` leaves this project out.
        test: {
          ...server,
          name: 'slow',
          include: ['{shared,web}/**/*.test.ts', 'server/features/market-data/**/*.test.ts', slow],
          exclude: ['server/**/*.postgres.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          env: { FC_RUNS: process.env['FC_RUNS'] ?? '10' },
        },
      },
    ],
  },
})
