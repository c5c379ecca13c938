// Checks dashboard, alert rules and documentation: every metric and label they use exists.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '#server/metrics/metrics.ts'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const rules = read('deploy/prometheus/alerts.yml')
const page = read('docs/operating/metrics.md')
const { panels } = JSON.parse(read('deploy/grafana/tezi.json')) as Dashboard
const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
const known = new Set<string>(Object.keys(catalogue))

const namesIn = (text: string) => [...new Set(text.match(/\b(?:tezi|nodejs|process)_[a-z0-9_]+/g))]
const unknownIn = (text: string) => namesIn(text).filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, '')))

test('an unknown name is found', () => {
  expect(unknownIn('sum(rate(tezi_http_request_total[5m])) / process_cpu_seconds_total')).toEqual(['tezi_http_request_total'])
})

test.each([
  ['the alert rules', rules],
  ['the dashboard', expressions.join('\n')],
  ['the page', page],
])('every metric of %s exists', (_, text) => {
  expect(namesIn(text).length).toBeGreaterThan(10)
  expect(unknownIn(text)).toEqual([])
})

test('every selector uses labels that its metric has', () => {
  const selectors = [...`${rules}\n${expressions.join('\n')}`.matchAll(/\b(tezi_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)]
  expect(selectors.length).toBeGreaterThan(5)
  for (const [selector, name = '', labels = ''] of selectors) {
    const names: readonly string[] = catalogue[name as keyof typeof catalogue].labels
    const used = [...labels.matchAll(/(\w+)\s*=/g)].map(([, label = '']) => label)
    expect(used.filter((label) => !names.includes(label)).map((label) => `${label} in ${selector}`)).toEqual([])
  }
})

test('no label is one that Prometheus adds itself', () => {
  const labels: readonly string[] = Object.values(catalogue).flatMap(({ labels }) => [...labels])
  expect(labels.filter((label) => ['job', 'instance', 'le', 'quantile'].includes(label))).toEqual([])
})

test('the page describes every metric with its kind and labels, the dashboard shows each, and every alert has a first step', () => {
  for (const [name, { type, labels }] of Object.entries(catalogue)) {
    const shownLabels = labels.length === 0 ? '–' : labels.map((label) => `\`${label}\``).join(', ')
    expect(page).toContain(`| \`${name}\` | ${type} | ${shownLabels} |`)
  }
  expect(Object.keys(catalogue).filter((name) => !expressions.join('\n').includes(name))).toEqual([])
  expect(alerts.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('every alert is brought on by the drill or tested by promtool', () => {
  const proofs = `${read('lab/drills/alert-faults.ts')}\n${read('deploy/prometheus/alerts.test.yml')}`
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter((name) => !new RegExp(`\\b${name}\\b`).test(proofs))).toEqual([])
})
