// Contract of every feed: one suite, run by the test of each adapter.
import { describe, expect, inject, test } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import type { HistoryStep } from '../../feed.ts'
import { scenarios, type Scenario } from './feed-scenarios.ts'
import { expectTrueMinutes, feedFixture, fridayMs, type FeedSubject, type FeedFixture } from './feed-fixture.ts'

/** A minute must be correct this long after its end. */
const settledMs = 20 * secondMs

/** Awaits a promise while the clock moves; its outcome as a value. */
async function whilePlaying<T>(fixture: FeedFixture, promise: Promise<T>, ms: number): Promise<PromiseSettledResult<T>> {
  const outcome = Promise.allSettled([promise]).then(([first]) => first)
  await fixture.exchange.play(ms)
  return outcome
}

const ask = (fixture: FeedFixture, step: HistoryStep, spanMs: number, symbol = fixture.symbol) =>
  fixture.feed.history({ symbol, step, fromMs: fridayMs - spanMs, toMs: fridayMs + dayMs })

function historyRejections(subject: FeedSubject): void {
  test('a symbol that the provider does not have', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.notOffered.add(fixture.symbol)
    const outcome = await whilePlaying(fixture, ask(fixture, '1m', hourMs), 5 * secondMs)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FeedError', kind: 'refused' } })
  })

  test('an unresponsive provider as unreachable, after a timeout', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.http = () => 'hang'
    const outcome = await whilePlaying(fixture, ask(fixture, '1m', hourMs), 3 * minuteMs)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FeedError', kind: 'unreachable' } })
  })

  test('an unreadable response as malformed', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.http = () => ({ status: 200, body: '{"surprise":[1,2' })
    const outcome = await whilePlaying(fixture, ask(fixture, '1m', hourMs), minuteMs)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'FeedError', kind: 'malformed' } })
  })

  test('a persistent rate limit with its retry delay', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.http = () => ({ status: 429, headers: { 'retry-after': '600' }, body: '{}' })
    const outcome = await whilePlaying(fixture, ask(fixture, '1m', hourMs), minuteMs)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'limited', retryAfterMs: 600_000 } })
    const asked = fixture.exchange.requests.length
    expect(await whilePlaying(fixture, ask(fixture, '1m', hourMs), secondMs)).toMatchObject({ reason: { kind: 'limited' } })
    expect(fixture.exchange.requests).toHaveLength(asked)
  })

  test('an aborted call', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.http = () => 'hang'
    const give = new AbortController()
    const asked = fixture.feed.history({
      symbol: fixture.symbol,
      step: '1m',
      fromMs: fridayMs - hourMs,
      toMs: fridayMs,
      signal: give.signal,
    })
    fixture.clock.after(secondMs, () => give.abort(new Error('no longer wanted')))
    expect(await whilePlaying(fixture, asked, 2 * secondMs)).toMatchObject({ status: 'rejected', reason: { message: 'no longer wanted' } })
  })
}

function historyAnswers(subject: FeedSubject): void {
  test('the expected minutes, without the forming one', async () => {
    const fixture = await feedFixture(subject)
    const outcome = await whilePlaying(fixture, ask(fixture, '1m', 2 * hourMs), 10 * secondMs)
    const expected = fixture.exchange.expected(fixture.symbol, fridayMs - 2 * hourMs, fridayMs)
    expect(expected.length).toBeGreaterThan(90)
    expect(outcome).toEqual({ status: 'fulfilled', value: expected })
  })

  test.for(['1h', '1D'] as const)('the expected closed %s candles', async (step) => {
    const fixture = await feedFixture(subject)
    if (!fixture.feed.steps.includes(step)) return expect(fixture.feed.steps).not.toContain(step)
    const outcome = await whilePlaying(fixture, ask(fixture, step, 40 * hourMs), 10 * secondMs)
    const expected = fixture.exchange.expectedSteps(fixture.symbol, step, fridayMs - 40 * hourMs)
    expect(expected.length).toBeGreaterThan(0)
    expect(outcome).toEqual({ status: 'fulfilled', value: expected })
  })

  test('an empty list for an empty range', async () => {
    const fixture = await feedFixture(subject)
    const asked = fixture.feed.history({ symbol: fixture.symbol, step: '1m', fromMs: fridayMs, toMs: fridayMs })
    expect(await whilePlaying(fixture, asked, secondMs)).toEqual({ status: 'fulfilled', value: [] })
  })
}

function subscriptions(subject: FeedSubject): void {
  test('a rejected symbol leaves the other one live', async () => {
    const fixture = await feedFixture(subject)
    const [first, second] = subject.dialect.symbols
    fixture.exchange.faults.notOffered.add(first)
    const refused = fixture.watch(first)
    const live = fixture.watch(second)
    await fixture.exchange.play(30 * secondMs)
    expect(refused.states.at(-1)?.kind).toBe('refused')
    expect(live.states.at(-1)?.kind).toBe('live')
    expect(live.minutes.length + live.trades.length).toBeGreaterThan(0)
    expect(refused.minutes.length + refused.trades.length).toBe(0)
  })

  test('malformed frames are counted and not logged one by one', async () => {
    const fixture = await feedFixture(subject)
    const live = fixture.watch(fixture.symbol)
    await fixture.exchange.play(10 * secondMs)
    fixture.exchange.faults.frame = (frame) => [...Array.from({ length: 20 }, () => Buffer.from([0, 9, 1])), frame]
    await fixture.exchange.play(2 * minuteMs)
    fixture.exchange.faults.frame = undefined
    await fixture.exchange.play(minuteMs)
    const lines = fixture.logLines.filter((line) => line.includes('cannot be read'))
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.length).toBeLessThanOrEqual(4)
    const counts = lines.map((line) => Number(/"count":(\d+)/.exec(line)?.[1]))
    expect(Math.max(...counts)).toBeGreaterThan(20)
    live.stop()
  })

  test('nothing is emitted after a listener left, and the connection ends with the last listener', async () => {
    const fixture = await feedFixture(subject)
    const one = fixture.watch(fixture.symbol)
    await fixture.exchange.play(30 * secondMs)
    one.stop()
    const received = one.minutes.length + one.trades.length
    expect(received).toBeGreaterThan(0)
    await fixture.exchange.play(minuteMs)
    expect(one.minutes.length + one.trades.length).toBe(received)
    expect(fixture.exchange.dials.open).toBe(0)
    expect(fixture.clock.nextDueMs()).toBeUndefined()
  })
}

function disturbances(subject: FeedSubject): void {
  const reasonAgainst = (scenario: Scenario) => scenario.except?.(subject.dialect)
  const impossible = scenarios.filter((scenario) => reasonAgainst(scenario) !== undefined)
  const isSlowProject = inject('isSlowProject')
  const possible = scenarios.filter((scenario) => reasonAgainst(scenario) === undefined && (isSlowProject || scenario.isSlow !== true))

  test.for(possible)('$name', async ({ disturb, startMs, mayCorrect }) => {
    const fixture = await feedFixture(subject, startMs)
    const followed = fixture.follow()
    await fixture.exchange.play(3 * minuteMs)
    await disturb(fixture)
    await fixture.exchange.play(6 * minuteMs)
    const corrections = expectTrueMinutes(fixture, followed, settledMs)
    if (!mayCorrect) expect(corrections).toBe(0)
    expect(followed.sources.at(-1)).toMatchObject({ source: { source: subject.dialect.source }, reason: null })
    followed.stop()
  })

  // Listed as tests with the reason, so that a missing scenario is visible.
  test.for(impossible.map((scenario) => [reasonAgainst(scenario), scenario.name]))('(not here, because %s) %s', ([reason]) => {
    expect(reason).toMatch(/[a-z]{3}/)
  })
}

function wrongClocks(subject: FeedSubject): void {
  test.for([25_000, -25_000])('with a provider clock that is wrong by %d ms', async (skewMs) => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.skewMs = skewMs
    const followed = fixture.follow()
    await fixture.exchange.play(9 * minuteMs)
    expectTrueMinutes(fixture, followed, settledMs + Math.abs(skewMs))
    followed.stop()
  })
}

function rejections(subject: FeedSubject): void {
  test('a rejected subscription is reported with a reason, and no source is used', async () => {
    const fixture = await feedFixture(subject)
    fixture.exchange.faults.notOffered.add(fixture.symbol)
    const followed = fixture.follow()
    await fixture.exchange.play(30 * secondMs)
    expect(followed.sources.at(-1)?.source).toBeNull()
    expect(followed.sources.at(-1)?.reason).toMatch(/[a-z]{3}/)
    followed.stop()
  })
}

/** Runs the suite for an adapter. */
export function feedContract(subject: FeedSubject): void {
  describe('history rejects', () => {
    historyRejections(subject)
  })
  describe('history resolves to', () => {
    historyAnswers(subject)
  })
  describe('subscriptions', () => {
    if (subject.dialect.frames !== undefined) subscriptions(subject)
    rejections(subject)
  })
  describe('with the follower there is no gap, duplicate or wrong value', () => {
    disturbances(subject)
    wrongClocks(subject)
  })
}
