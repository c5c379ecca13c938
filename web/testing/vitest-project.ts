// Vitest project of the component tests: the web client in jsdom, with a fake server behind `fetch`.
import type { TestProjectInlineConfiguration } from 'vitest/config'

const setupFiles = ['web/testing/site-block.ts', 'web/testing/setup.ts']

export const webProject: TestProjectInlineConfiguration = {
  test: {
    name: 'web',
    include: ['web/**/*.test.tsx'],
    environment: 'jsdom',
    setupFiles,
    // `setup.ts` resets every client store after each test, so that files can share one module registry.
    isolate: false,
    testTimeout: 30_000,
  },
}

/** The same tests on pages that a browser's translator changes. */
export const translatedProject: TestProjectInlineConfiguration = {
  test: { ...webProject.test, name: 'translated', setupFiles: [...setupFiles, 'web/testing/translate-every-page.ts'] },
}
