// What belongs to a person leaves this browser with them.
import { beforeEach, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { makeUser } from '#shared/testing/user.ts'
import { session } from '#web/lib/browser-storage.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { answerSessionCalls, openPage } from '#web/testing/render.tsx'
import { answerCharts } from '#web/testing/screens.ts'

const asha = makeUser('premium')
const ravi = makeUser('free', { _id: '0'.repeat(24), email: 'ravi@example.in', mustChangePassword: true })

const kept = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key !== 'widget.unreachable').toSorted()

beforeEach(() => {
  sessionStorage.clear()
})

function leaveData(): void {
  localStorage.setItem('chart.options', '{}')
  localStorage.setItem(`workspace.${asha._id}`, 'unsaved')
  localStorage.setItem(`drawings.${asha.email}.nifty`, 'unsaved')
  sessionStorage.setItem(`screen.${asha._id}`, '{}')
}

test('a sign-out saves what is pending, then removes settings, screens and unsaved changes', async () => {
  answerCharts()
  localStorage.setItem(`drawings.${asha.email}.nifty`, 'unsaved')
  localStorage.setItem(`drawings.${ravi.email}.nifty`, 'unsaved')
  server.disconnect(api.workspace.save)
  const page = openPage('/eur-usd', { as: asha })
  await eventually(() => expect(kept()).toEqual(expect.arrayContaining(['chart.studies', `screen.${asha._id}`, `workspace.${asha._id}`])))
  let savedBefore: readonly string[] = []
  server.on(api.workspace.save, ({ body }) => ({ success: true, data: { version: body.version + 1 } }))
  server.on(api.auth.signOut, () => {
    savedBefore = server.calls(api.workspace.save).map(({ body }) => body.workspace.last?.slug ?? '')
    return { success: true, message: 'Signed out successfully' }
  })
  await page.press('Sign Out')
  await page.find('link', 'Start Analysis')
  expect(savedBefore.at(-1)).toBe('eur-usd')
  expect(kept()).toEqual([`drawings.${ravi.email}.nifty`])
})

test('an ended session takes settings and screens; unsaved changes wait for the next session of the same person', () => {
  session.save('a-token', asha)
  leaveData()
  session.clear()
  expect(kept()).toEqual([`drawings.${asha.email}.nifty`, `workspace.${asha._id}`])
})

test('a person who signs in over the session of another finds no settings and no screen', () => {
  session.save('a-token', asha)
  leaveData()
  session.save('the-same-person', asha)
  expect(kept()).toContain('chart.options')
  session.save('another-token', ravi)
  expect(kept()).toEqual(['sessionToken', 'user', `drawings.${asha.email}.nifty`, `workspace.${asha._id}`].toSorted())
})

test('a person who signs in finds no unsaved changes of another', async () => {
  leaveData()
  localStorage.setItem(`drawings.${ravi.email}.nifty`, 'unsaved')
  const page = openPage('/login')
  server.on(api.auth.signIn, () => ({
    success: true,
    message: 'Login successful',
    data: { sessionToken: server.startSession(ravi), user: ravi },
  }))
  answerSessionCalls()
  await page.fill('Email', ravi.email)
  await page.fill('Password', 'Kesar-Chai-42')
  await page.press('Sign in to Dashboard')
  await page.see('Login successful')
  expect(Object.keys(localStorage).filter((key) => /^(drawings|workspace)/.test(key))).toEqual([`drawings.${ravi.email}.nifty`])
})
