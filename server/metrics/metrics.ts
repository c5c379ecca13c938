// The port to metrics: features register functions that read their values; only requests are counted as they happen.
import type { LabelOf, MetricName } from './catalogue.ts'

type ReadName = Exclude<MetricName, 'tezi_http_requests_total' | 'tezi_http_request_duration_seconds' | 'tezi_metric_read_failures_total'>

export interface Sample<Label extends string = string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** One sample for each key of a record, under one label. */
export function samplesBy<Label extends string>(label: Label, values: Readonly<Record<string, number>>): Sample<Label>[] {
  return Object.entries(values).map(([key, value]) => ({ labels: { [label]: key } as Record<Label, string>, value }))
}

type Reading<Name extends MetricName> = [LabelOf<Name>] extends [never] ? number : readonly Sample<LabelOf<Name>>[]

/** By metric: reads its current values. One that fails is skipped. */
export type Readers = { readonly [Name in ReadName]?: () => Reading<Name> | Promise<Reading<Name>> }

export interface RequestSample {
  readonly method: string
  /** The route's template, such as `/api/v1/plans/:type`; undefined for pages and unknown paths. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** All metrics as text, for a scraper. */
export interface MetricsText {
  readonly contentType: string
  /** Concurrent calls share one reading. */
  text(): Promise<string>
}

export interface Metrics {
  /** Registers functions that are called for each scrape. */
  read(readers: Readers): void
  countRequest(request: RequestSample): void
}
