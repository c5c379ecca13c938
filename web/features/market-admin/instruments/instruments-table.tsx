// Table of all instruments: symbols, chart chosen by Automatic, data source and label.
import { indiaZone } from '#shared/base/india-time.ts'
import { chooseChart, type ChartChoice, type FirstChart } from '#shared/chart/chart-choice.ts'
import type { AdminInstrument, InstrumentList } from '#shared/instruments/admin-instrument-contract.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { badgesLine, feedBadges } from '#shared/chart/market-badge.ts'
import { timeframeLabel, timeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import { adminInstrumentsText as text } from '#shared/instruments/text/en-admin.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { Button } from '#web/ui/button.tsx'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'

const { columns: heads } = text
const top = '[&:is(td)]:align-top'

interface InstrumentsTableProps {
  readonly list: InstrumentList | undefined
  readonly onEdit: (row: AdminInstrument) => void
}

export function InstrumentsTable({ list, onEdit }: InstrumentsTableProps) {
  const { firstChart = 'tradingview', nowMs = 0, instruments } = list ?? {}
  const columns = columnsOf(firstChart, nowMs, onEdit)
  return (
    <DataTable label={text.instruments} columns={columns} rows={instruments} rowKey={(row) => row.slug} empty={null} expectedRows={20} />
  )
}

function columnsOf(firstChart: FirstChart, nowMs: number, onEdit: InstrumentsTableProps['onEdit']): readonly DataColumn<AdminInstrument>[] {
  return [
    { id: 'instrument', head: heads.instrument, className: top, card: 'title', cell: (row) => <Name row={row} /> },
    { id: 'symbol', head: heads.symbol, className: top, cell: (row) => <Cell lines={[row.symbol, text.supports[row.widget]]} /> },
    {
      id: 'substitutes',
      head: heads.substitutes,
      className: top,
      cell: (row) => <Cell lines={row.substitutes.length === 0 ? [text.none] : row.substitutes.map(({ symbol }) => symbol)} />,
    },
    { id: 'chart', head: heads.chart, className: top, cell: (row) => <Cell lines={chartLines(row, firstChart)} /> },
    { id: 'source', head: heads.source, className: top, cell: (row) => <Cell lines={[sourceOf(row, choiceOf(row, firstChart))]} /> },
    { id: 'label', head: heads.label, className: top, cell: (row) => <Cell lines={[labelOf(row, choiceOf(row, firstChart), nowMs)]} /> },
    { id: 'timeframes', head: heads.timeframes, className: top, cell: (row) => <Cell lines={[timeframesOf(row, firstChart)]} /> },
    {
      id: 'action',
      head: heads.action,
      card: 'actions',
      isPinned: true,
      cell: (row) => (
        <Button variant="outline" size="small" aria-label={text.editOf(row.label)} onClick={() => onEdit(row)}>
          {text.edit}
        </Button>
      ),
    },
  ]
}

function Name({ row }: { readonly row: AdminInstrument }) {
  return (
    <div className="max-w-44 whitespace-normal max-md:max-w-full md:py-1.5">
      <span className="block font-medium">
        <span>{row.label}</span>
        {row.isHidden && <span className="ml-2 text-11 font-semibold text-warn">{text.hidden}</span>}
      </span>
      <span className="block text-12 font-normal text-text-2">{row.name}</span>
    </div>
  )
}

function Cell({ lines }: { readonly lines: readonly string[] }) {
  return (
    <div className="max-w-56 whitespace-normal max-md:max-w-full md:py-1.5">
      {lines.map((line) => (
        <span key={line} className="block max-md:[overflow-wrap:anywhere] md:break-words">
          {line}
        </span>
      ))}
    </div>
  )
}

/** The chart for a user without a preference, while the provider is reachable. */
function choiceOf(row: AdminInstrument, byDefault: FirstChart, timeframe: Timeframe = '1'): ChartChoice {
  const listing = { ...row, isStock: findInstrument(row.slug)?.group === 'STOCKS', firstChart: row.firstChart ?? byDefault }
  return chooseChart(listing, { preference: 'automatic', timeframe, isWidgetUp: true, hasNoData: () => false })
}

function chartLines(row: AdminInstrument, byDefault: FirstChart): readonly string[] {
  const choice = choiceOf(row, byDefault)
  const shown = choice.engine === 'widget' ? `${text.charts.widget}: ${choice.symbol}` : text.charts[choice.engine]
  return (row.firstChart ?? byDefault) === 'tezi' ? [shown, text.ownFirst] : [shown]
}

function sourceOf(row: AdminInstrument, { engine }: ChartChoice): string {
  return engine === 'widget' ? text.provider : engine === 'native' ? (row.source ?? text.none) : text.none
}

function labelOf(row: AdminInstrument, choice: ChartChoice, nowMs: number): string {
  const moment = { nowMs, zone: indiaZone }
  // No server sees the prices of the widget: LIVE would be a theory.
  if (choice.engine === 'widget')
    return [text.widgetLabel, ...(choice.proxy === null ? [] : [chartText.badgeProxy(choice.proxy)])].join(', ')
  if (choice.engine !== 'native') return text.none
  return row.condition === null
    ? adminMarketText.notInView
    : badgesLine(feedBadges({ condition: row.condition, isConnected: true }, moment))
}

function timeframesOf(row: AdminInstrument, byDefault: FirstChart): string {
  const shown = timeframes.filter((timeframe) => choiceOf(row, byDefault, timeframe).timeframe === timeframe)
  return shown.length === timeframes.length ? text.allTimeframes : text.onlyTimeframes(shown.map((timeframe) => timeframeLabel(timeframe)))
}
