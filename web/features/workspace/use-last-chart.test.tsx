// User changes made before the account's workspace has loaded are not overwritten by it.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { noWorkspace, type Workspace } from '#shared/workspace/workspace.ts'
import { changePreferences, preferencesNow } from '#web/lib/preferences.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { renderUi } from '#web/testing/render.tsx'
import { useLastChart } from './use-last-chart.ts'

const options = { style: 'candles', scale: 'linear', colours: 'green-red', hasBreaks: true, adjustment: 'splits' } as const

function Keeper(): null {
  useLastChart({ userId: 'u1', place: undefined, isBare: false, onRestore: ignore, onArrive: ignore })
  return null
}

const ignore = () => false

function openWorkspace(kept: Partial<Workspace>): { answer: () => void; saved: Workspace[] } {
  const saved: Workspace[] = []
  server.on(api.workspace.read, () => ({ success: true, data: { version: 3, workspace: { ...noWorkspace, ...kept } } }))
  server.on(api.workspace.save, ({ body }) => {
    saved.push(body.workspace)
    return { success: true, data: { version: body.version + 1 } }
  })
  const answer = server.hold(api.workspace.read)
  renderUi(<Keeper />, { as: 'premium' })
  return { answer, saved }
}

test('a chart engine chosen before the workspace loads wins over the saved one', async () => {
  localStorage.setItem('chart.engine', 'tezi')
  const { answer, saved } = openWorkspace({ engine: 'tezi' })
  expect(preferencesNow().workspace.engine).toBe('tezi')
  changePreferences((before) => ({ ...before, engine: 'tradingview' }))
  expect(preferencesNow()).toMatchObject({ workspace: { engine: 'tradingview' }, isLoaded: false })
  answer()
  await eventually(() => expect(saved.map(({ engine }) => engine)).toEqual(['tradingview']))
  expect(localStorage.getItem('chart.engine')).toBe('tradingview')
})

test('chart options chosen before the workspace loads win, and everything else is as saved', async () => {
  const { answer, saved } = openWorkspace({ engine: 'tezi', studies: ['rsi'], options: { ...options, style: 'bars' } })
  changePreferences((before) => ({ ...before, options: { ...options, scale: 'log' } }))
  answer()
  await eventually(() => expect(saved.map(({ options: last }) => last?.scale)).toEqual(['log']))
  expect(saved[0]).toMatchObject({ engine: 'tezi', studies: ['rsi'] })
  expect(preferencesNow().workspace.engine).toBe('tezi')
})

test("the saved workspace replaces this browser's settings, and is not saved again", async () => {
  localStorage.setItem('chart.engine', 'tradingview')
  const { answer, saved } = openWorkspace({ engine: 'tezi' })
  answer()
  await eventually(() => expect(localStorage.getItem('chart.engine')).toBe('tezi'))
  expect(saved).toEqual([])
})

test('settings that this browser cached stay where the account has none', async () => {
  localStorage.setItem('chart.engine', 'tradingview')
  localStorage.setItem('chart.options', JSON.stringify({ ...options, style: 'line' }))
  localStorage.setItem('chart.studies', JSON.stringify({ studies: ['rsi'], hiddenStudies: [], studyInputs: {} }))
  expect(preferencesNow().workspace).toMatchObject({ engine: 'tradingview', studies: ['rsi'] })
  const { answer, saved } = openWorkspace({})
  answer()
  await eventually(() => expect(preferencesNow().isLoaded).toBe(true))
  expect(preferencesNow().workspace).toMatchObject({ engine: 'tradingview', options: { style: 'line' }, studies: [] })
  expect(localStorage.getItem('chart.engine')).toBe('tradingview')
  expect(saved).toEqual([])
})

test('a part of the preferences keeps its identity while other parts change', async () => {
  const { answer } = openWorkspace({ studies: ['rsi'] })
  answer()
  await eventually(() => expect(preferencesNow().isLoaded).toBe(true))
  const { studies } = preferencesNow().workspace
  changePreferences((before) => ({ ...before, studies: [...before.studies], engine: 'tezi' }))
  expect(preferencesNow().workspace.engine).toBe('tezi')
  expect(preferencesNow().workspace.studies).toBe(studies)
})
