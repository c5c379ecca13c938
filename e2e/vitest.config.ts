// Browser tests: one real server and one real browser for all of them.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./harness/global-setup.ts'],
    // Nothing here is about speed, so that a machine that is busy gets its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that stalls for seconds makes a tap a long press and a press one too early; what is broken fails each time.
    retry: 2,
    expect: { poll: { timeout: 20_000 } },
    // Two cores are shared by the server, the browser and us.
    maxWorkers: 2,
  },
})
