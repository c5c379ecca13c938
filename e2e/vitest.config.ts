// Browser tests: one real server and one real browser for all of them.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['./harness/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A machine that stalls for seconds makes a tap a long press and a press one too early; what is broken fails twice.
    retry: 1,
    expect: { poll: { timeout: 10_000 } },
    // Two cores are shared by the server, the browser and us.
    maxWorkers: 2,
  },
})
