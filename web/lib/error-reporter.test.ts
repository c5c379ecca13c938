// Error reports of the page: masked, deduplicated, limited per page load.
import { expect, test } from 'vitest'
import type { ErrorReport } from '#shared/error-reports/contract.ts'
import { errorReportRoutes } from '#shared/error-reports/contract.ts'
import { ApiError } from '#shared/http/api-error.ts'
import { errorReporter, reportsMax } from './error-reporter.ts'

function reporter(options: { answer?: () => Promise<unknown>; path?: string } = {}) {
  const sent: ErrorReport[] = []
  const report = errorReporter({
    send: (one) => {
      sent.push(one)
      return options.answer?.() ?? Promise.resolve()
    },
    path: () => options.path ?? '/nifty50',
    release: () => 'index-Cx0vi6fp.js',
  })
  return { report, sent }
}

const unreadable: unknown = {
  toString() {
    throw new Error('unreadable')
  },
}

test.each([
  ['a rejected call', new ApiError(403, { message: 'Premium user required' })],
  ['a lost connection', new ApiError(0, { message: 'Failed to fetch', code: 'network' })],
  ['an aborted call', new DOMException('The user aborted a request.', 'AbortError')],
  ['noise of the browser', 'ResizeObserver loop completed with undelivered notifications.'],
  ['an error of another site', 'Script error.'],
  ['a value that cannot be read', unreadable],
])('%s is not reported', (_what, error) => {
  const { report, sent } = reporter()
  report(error)
  expect(sent).toEqual([])
})

test('the same error is reported once, and at most five different ones', () => {
  const { report, sent } = reporter()
  const error = new TypeError('no bars')
  report(error)
  report(error)
  expect(sent).toHaveLength(1)
  for (let count = 0; count < 10; count += 1) report(new Error(`error ${count}`))
  expect(sent).toHaveLength(reportsMax)
})

test('a report that fails is dropped', async () => {
  const { report, sent } = reporter({ answer: () => Promise.reject(new TypeError('Failed to fetch')) })
  report(new Error('one'))
  await Promise.resolve()
  expect(sent).toHaveLength(1)
})

test('a failed API call is reported with its request id', () => {
  const { report, sent } = reporter()
  const requestId = '0192d3b4-5c6d-4e7f-8a9b-0c1d2e3f4a5b'
  report(new ApiError(500, { message: 'Something went wrong', requestId }))
  expect(sent).toMatchObject([{ message: 'ApiError: Something went wrong', requestId }])
})

test('personal data is masked, and the rest conforms to the contract', () => {
  const { report, sent } = reporter({ path: '/u/asha@example.in' })
  const error = new Error(`asha@example.in 9876543210 \u0000${'😀'.repeat(400)}`)
  error.stack = `Error: asha@example.in\n    at f (https://tezi.example/x?token=s3cret:1:2)\n${'x'.repeat(5000)}`
  report(error)
  expect(JSON.stringify(sent)).not.toMatch(/asha|9876543210|s3cret/)
  expect(sent[0]).toMatchObject({ path: '/u/[email]', release: 'index-Cx0vi6fp.js' })
  expect(errorReportRoutes.report.body.safeParse(sent[0]).success).toBe(true)
  expect(sent[0]?.message.isWellFormed()).toBe(true)
})

test('a thrown string is reported without a stack', () => {
  const { report, sent } = reporter()
  report('out of bars')
  expect(sent).toEqual([{ message: 'out of bars', path: '/nifty50', release: 'index-Cx0vi6fp.js' }])
})
