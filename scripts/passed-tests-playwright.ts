// Playwright reporter: records which tests passed, for the check of the specification's checklist.
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { recordPassed } from './spec-checklist.ts'

export default class PassedTests implements Reporter {
  printsToStdio(): boolean {
    return false
  }

  onTestEnd({ location, title }: TestCase, { status }: TestResult): void {
    if (status === 'passed') recordPassed(location.file, [title])
  }
}
