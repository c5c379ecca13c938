// Vitest project of the component tests: the web client in jsdom, with a fake server behind `fetch`.
import type { TestProjectInlineConfiguration } from 'vitest/config'

export const webProject: TestProjectInlineConfiguration = {
  test: {
    name: 'web',
    include: ['web/**/*.test.tsx'],
    environment: 'jsdom',
    setupFiles: ['web/testing/site-block.ts', 'web/testing/setup.ts'],
    // `setup.ts` resets every client store after each test, so that files can share one module registry.
    isolate: false,
    testTimeout: 30_000,
  },
}
