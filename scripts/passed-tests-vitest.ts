// Vitest reporter: records which tests passed, for the check of the specification's checklist.
import type { Reporter, TestModule } from 'vitest/node'
import { recordPassed } from './spec-checklist.ts'

export default class PassedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      recordPassed(
        module.moduleId,
        [...module.children.allTests('passed')].map(({ name }) => name),
      )
  }
}
