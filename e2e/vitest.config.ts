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
    // What a failed try still waits for ends with its page. The try itself tells why it failed, and the next one may pass.
    onUnhandledError: ({ message }) => !/^page\.waitFor\w+: (Target page, context or browser has been closed|Timeout)/.test(message),
    // Two cores are shared by the server, the browser and us.
    maxWorkers: 2,
  },
})
