// Choices made before the account has answered must survive its answer.
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { noWorkspace, type Workspace } from '#shared/workspace/workspace.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { renderUi } from '#web/testing/render.tsx'
import { useKeptPlace } from './use-kept-place.ts'

const options = { style: 'candles', scale: 'linear', colours: 'green-red', hasBreaks: true, adjustment: 'splits' } as const

function Keeper(): null {
  useKeptPlace({ userId: 'u1', place: undefined, isBare: false, onRestore: ignore, onArrive: ignore })
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

test('a chart engine chosen before the account answers wins over the saved one', async () => {
  chartChoices.set('engine', 'tezi')
  const { answer, saved } = openWorkspace({ engine: 'tezi' })
  chartChoices.set('engine', 'tradingview')
  answer()
  await eventually(() => expect(saved.map(({ engine }) => engine)).toEqual(['tradingview']))
  expect(chartChoices.get('engine')).toBe('tradingview')
})

test('chart options chosen before the account answers win, and everything else is as saved', async () => {
  const { answer, saved } = openWorkspace({ engine: 'tezi', studies: ['rsi'], options: { ...options, style: 'bars' } })
  chartChoices.set('options', JSON.stringify({ ...options, scale: 'log' }))
  answer()
  await eventually(() => expect(saved.map(({ options: last }) => last?.scale)).toEqual(['log']))
  expect(saved[0]).toMatchObject({ engine: 'tezi', studies: ['rsi'] })
  expect(chartChoices.get('engine')).toBe('tezi')
})

test('what the account has saved replaces what this browser had, and is not saved again', async () => {
  chartChoices.set('engine', 'tradingview')
  const { answer, saved } = openWorkspace({ engine: 'tezi' })
  answer()
  await eventually(() => expect(chartChoices.get('engine')).toBe('tezi'))
  expect(saved).toEqual([])
})
