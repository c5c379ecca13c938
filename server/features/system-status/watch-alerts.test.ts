// Which messages the operator gets: not for a short failure, once for a lasting one, and when it works again.
import { expect, test } from 'vitest'
import { hourMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import type { CheckName } from '#shared/system-status/system-check.ts'
import type { Alert } from '#server/alerts/alert-channel.ts'
import { alertRounds } from './watch-alerts.ts'

function world() {
  const state = { nowMs: 0, failing: new Set<CheckName>(), isDown: false }
  const sent: Alert[] = []
  const errors: unknown[] = []
  const names = ['database', 'redis', 'backup'] as const
  const round = alertRounds({
    checks: () =>
      Promise.resolve(
        names.map((name) => ({ name, state: state.failing.has(name) ? ('failing' as const) : ('ok' as const), details: [] })),
      ),
    channels: [
      {
        kind: 'mail',
        send: (alert) => (state.isDown ? Promise.reject(new Error('refused')) : Promise.resolve(void sent.push(alert))),
      },
      { kind: 'telegram', send: () => Promise.reject(new Error('Telegram answered 401')) },
    ],
    brandName: 'Tezi',
    host: 'web-1',
    monotonic: () => state.nowMs,
    onError: (error) => errors.push(error),
  })
  return {
    state,
    sent,
    errors,
    /** Rounds every 30 seconds. */
    pass: async (ms: number) => {
      for (let rest = ms; rest > 0; rest -= 30 * secondMs) {
        state.nowMs += 30 * secondMs
        await round()
      }
    },
    subjects: () => sent.splice(0).map(({ subject }) => subject),
  }
}

test('a failure of less than three minutes is not reported', async () => {
  const { state, sent, pass } = world()
  state.failing.add('redis')
  await pass(3 * minuteMs)
  state.failing.clear()
  await pass(hourMs)
  expect(sent).toEqual([])
})

test('a lasting failure is reported once, again after twelve hours, and when it has ended', async () => {
  const { state, sent, subjects, pass } = world()
  state.failing.add('redis')
  await pass(4 * minuteMs)
  expect(sent).toEqual([
    {
      subject: 'Tezi: redis failing',
      text: 'Redis has been failing for 3 minutes. Is Redis or Valkey running?\n\nSent by the Tezi process on web-1.',
    },
  ])
  await pass(12 * hourMs - minuteMs)
  expect(subjects()).toEqual(['Tezi: redis failing'])
  await pass(minuteMs)
  expect(subjects()).toEqual(['Tezi: redis failing'])
  state.failing.clear()
  await pass(hourMs)
  expect(sent).toEqual([{ subject: 'Tezi: all checks pass again', text: 'Redis works again.\n\nSent by the Tezi process on web-1.' }])
})

test('a second failure is reported together with the first, and each end by itself', async () => {
  const { state, sent, subjects, pass } = world()
  state.failing.add('redis')
  await pass(4 * minuteMs)
  state.failing.add('backup')
  await pass(4 * minuteMs)
  expect(subjects()).toEqual(['Tezi: redis failing', 'Tezi: redis, backup failing'])
  state.failing.delete('redis')
  await pass(hourMs)
  expect(sent).toMatchObject([
    { subject: 'Tezi: backup failing', text: expect.stringContaining('Redis works again.\nBackup has been failing') },
  ])
})

test('a message that no channel takes is sent later; a channel that fails is logged', async () => {
  const { state, sent, errors, pass } = world()
  state.isDown = true
  state.failing.add('database')
  await pass(10 * minuteMs)
  expect(errors.length).toBeGreaterThan(10)
  state.isDown = false
  await pass(minuteMs)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.text).toContain('Database has been failing for 10 minutes.')
})
