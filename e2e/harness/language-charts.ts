// Chart screens in the pseudo-locale, with their panels, menus, dialogs and cards.
import { expect, type Page } from '@playwright/test'
import { text, type Walk } from './languages.ts'
import { addPerson } from './people.ts'
import { press, see } from './see.ts'

const { chart, market, studyPanel, workspace } = text
const legend = (page: Page) => page.getByTestId('chart-legend').waitFor({ timeout: 60_000 })
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()

/** Opens a dialog, judges it and closes it again. */
async function lookInto(page: Page, opener: string, look: (page: Page, screen: string) => Promise<void>, screen: string): Promise<void> {
  await press(page, opener)
  await page.getByRole('dialog').first().waitFor()
  await look(page, screen)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
}

async function chartsOfAllGroups({ open, look, server }: Walk): Promise<void> {
  const page = await open('/eur-usd', { as: await addPerson('premium', server), engine: 'tezi' })
  for (const address of ['/eur-usd', '/btc-usd', '/es', '/tata-motors?tf=1D', '/']) {
    await page.goto(address)
    await legend(page)
    await look(page, `chart of ${address}`)
  }
}

async function chartTools({ open, look, server }: Walk): Promise<void> {
  const page = await open('/btc-usd?tf=15', { as: await addPerson('premium', server), engine: 'tezi' })
  await legend(page)
  for (const style of ['renko', 'heikin-ashi']) {
    await page.getByRole('combobox', { name: chart.style, exact: true }).selectOption(style)
    await look(page, `chart as ${style}`)
  }
  for (const opener of [chart.options, chart.goTo]) {
    await press(page, opener)
    await page.locator('[popover]:popover-open').waitFor()
    await look(page, opener === chart.options ? 'chart options' : 'go to date')
    if (opener === chart.goTo) {
      await press(page, chart.goToSubmit)
      await look(page, 'go to no date')
    }
    await page.keyboard.press('Escape')
  }
  await page.locator(`button[popovertarget][aria-label*="IST"]`).click()
  await page.locator('[popover]:popover-open').waitFor()
  await look(page, 'axis menu')
  await page.keyboard.press('Escape')
  await press(page, chart.table)
  await page.getByTestId('bar-table').locator('tbody tr').first().waitFor()
  await look(page, 'data table')
  await press(page, chart.closeTable)
}

async function indicators({ open, look, server }: Walk): Promise<void> {
  const page = await open('/btc-usd?tf=15', { as: await addPerson('premium', server), engine: 'tezi' })
  await legend(page)
  await press(page, studyPanel.studies)
  const panel = page.getByTestId('studies-panel')
  await panel.waitFor()
  await look(page, 'list of studies')
  const switches = panel.getByRole('switch')
  const count = await switches.count()
  expect(count).toBeGreaterThan(10)
  // Before they are on the chart, which then is slow to draw.
  for (let at = 0; at < count; at += 1) {
    await panel.getByRole('listitem').nth(at).getByRole('button').click()
    await look(page, `settings of study ${at + 1}`)
    await press(page, studyPanel.back)
  }
  for (let at = 0; at < count; at += 1) await switches.nth(at).click()
  await look(page, 'all studies')
  await panel.getByRole('listitem').first().getByRole('button').click()
  await see(page, studyPanel.removeShort)
  await look(page, 'settings of a study on the chart')
}

async function drawings({ open, look, server }: Walk): Promise<void> {
  const page = await open('/btc-usd?tf=15', { as: await addPerson('premium', server), engine: 'tezi' })
  await legend(page)
  const canvas = page.getByTestId('chart-canvas')
  await page.getByRole('toolbar', { name: workspace.tools }).waitFor()
  await look(page, 'drawing tools')
  await tool(page, workspace.toolNames.fibonacci).click()
  await canvas.click({ position: { x: 80, y: 200 } })
  await canvas.click({ position: { x: 200, y: 300 } })
  await look(page, 'selected drawing')
  await tool(page, workspace.toolNames.measure).click()
  await canvas.click({ position: { x: 100, y: 220 } })
  await canvas.click({ position: { x: 220, y: 280 } })
  await look(page, 'measured')
  await tool(page, workspace.toolNames.text).click()
  await canvas.click({ position: { x: 120, y: 240 } })
  await see(page, workspace.textTitle)
  await look(page, 'text of a drawing')
  await page.keyboard.press('Escape')
  await tool(page, workspace.removeAll).click()
  await see(page, workspace.removeAllQuestion)
  await look(page, 'removal of all drawings')
}

async function workspaceDialogs({ open, look, server, isPhone }: Walk): Promise<void> {
  const page = await open('/btc-usd', { as: await addPerson('premium', server), engine: 'tezi' })
  await legend(page)
  await press(page, workspace.search)
  await page.getByRole('combobox', { name: workspace.searchField }).waitFor()
  await look(page, 'search')
  await page.keyboard.type('zzz')
  await see(page, workspace.searchNothing)
  await look(page, 'search without a result')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  await lookInto(page, text.shortcuts.title, look, 'keys of the chart')
  await press(page, workspace.alarm)
  await page.getByRole('dialog').getByRole('switch').or(page.getByRole('dialog').getByRole('checkbox')).first().click()
  await look(page, 'candle alarm')
  await page.keyboard.press('Escape')
  await press(page, workspace.layouts)
  await page.getByRole('dialog').first().waitFor()
  await press(page, workspace.layoutSave)
  await see(page, workspace.layoutNameMissing)
  await look(page, 'layouts')
  await page.getByLabel(workspace.layoutName).fill('123')
  await press(page, workspace.layoutSave)
  await page.getByRole('button', { name: workspace.layoutRemove('123') }).waitFor()
  await look(page, 'saved layout')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: workspace.layoutGrids[4] }).check({ force: true })
  await look(page, 'four charts')
  if (isPhone) await press(page, market.menu)
  await look(page, 'menu of the account')
  await press(page, market.settings)
  await see(page, market.settingsNote)
  await look(page, 'chart settings')
}

async function cards({ open, look, server }: Walk): Promise<void> {
  const free = await open('/eur-usd', { as: await addPerson('free', server) })
  await free.getByRole('heading', { name: market.premiumRequired }).waitFor()
  await look(free, 'locked chart')
  const premium = await open('/eur-usd', { as: await addPerson('premium', server) })
  await premium.getByTestId('chart-frame').waitFor()
  await look(premium, 'TradingView')
  const lost = await open('/eur-usd', {
    as: await addPerson('premium', server),
    before: async (_, widget) => {
      widget.mood = 'not-found'
    },
  })
  await lost.getByTestId('reach-notice').waitFor()
  await look(lost, 'TradingView that cannot be reached')
  for (const mood of ['not-found', 'no-data'] as const) {
    const page = await open('/eur-usd', {
      as: await addPerson('admin', server),
      engine: 'tradingview',
      hasWidget: true,
      before: async (_, widget) => {
        widget.mood = mood
      },
    })
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
    await look(page, `card of TradingView, ${mood}`)
  }
}

export const chartWalks = {
  'charts of all groups': chartsOfAllGroups,
  'tools of the chart': chartTools,
  indicators: indicators,
  drawings: drawings,
  'search, layouts, alarm, keys and settings': workspaceDialogs,
  'cards in place of a chart': cards,
}
