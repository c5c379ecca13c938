// What a chart shows while another view is drawn in its place.
import { act } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderUi } from '#web/testing/render.tsx'
import { ChartStage, type Stage } from './chart-stage.tsx'
import type { ChartEngine, EngineReport } from './engines/engine.ts'

/** An engine that notes what happens, and whether the loading card was on the screen then. */
function recorded() {
  const events: string[] = []
  const reports = new Map<string, (report: EngineReport) => void>()
  const engine: ChartEngine<{ readonly name: string }> = {
    mount(_host, { name }, report) {
      events.push(`${name} ${document.querySelector('[data-testid=chart-loading]') === null ? 'visible' : 'covered'}`)
      reports.set(name, report)
      return () => void events.push(`end ${name}`)
    },
  }
  const paint = (name: string) =>
    act(async () => {
      reports.get(name)?.('loaded')
      await Promise.resolve()
    })
  return { engine, events, paint }
}

test('another view replaces the one before behind the loading card, and a late report of that one changes nothing', async () => {
  const { engine, events, paint } = recorded()
  const stages: Stage[] = []
  let choose: (view: { name: string } | undefined) => void = () => undefined
  function Chart() {
    const [view, setView] = useState<{ name: string } | undefined>({ name: 'first' })
    choose = setView
    return <ChartStage engine={engine} view={view} settleMs={0} onStage={(stage) => void stages.push(stage)} cardOf={() => null} />
  }
  renderUi(<Chart />)
  const isCovered = () => document.querySelector('[data-testid=chart-loading]') !== null
  await paint('first')
  expect(isCovered()).toBe(false)
  act(() => choose({ name: 'second' }))
  expect(isCovered()).toBe(true)
  await paint('first')
  expect(isCovered()).toBe(true)
  await paint('second')
  expect(isCovered()).toBe(false)
  act(() => choose(undefined))
  expect(isCovered()).toBe(true)
  expect(events).toEqual(['first covered', 'end first', 'second covered', 'end second'])
  expect([...new Set(stages)]).toEqual(['loading', 'shown'])
})
