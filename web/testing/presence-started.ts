// Waits until the page follows its account, so that the next look at it has an effect.
import { expect } from 'vitest'
import { api } from '#shared/api.ts'
import { eventually } from './eventually.ts'
import { server } from './fake-server.ts'

/** A page without a live connection reads its user whenever it is looked at; the first call may be of its start. */
export async function presenceStarted(): Promise<void> {
  const before = server.calls(api.users.me).length
  await eventually(() => {
    window.dispatchEvent(new Event('focus'))
    expect(server.calls(api.users.me).length).toBeGreaterThan(before + 1)
  })
}
