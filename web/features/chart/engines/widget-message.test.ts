// Which messages of the provider's frame are recognised.
import { describe, expect, it } from 'vitest'
import { readWidgetMessage } from './widget-message.ts'

describe('a message of the widget', () => {
  it.each([
    [{ name: 'tv-widget-load' }, 'loaded'],
    [{ name: 'tv-widget-ready', frameElementId: 'x' }, 'loaded'],
    [{ type: 'tv-widget-load' }, 'loaded'],
    [{ event: 'tv-widget-no-data' }, 'no-data'],
    [{ name: 'tv-widget-no-data' }, 'no-data'],
    ['{"name":"tv-widget-load"}', 'loaded'],
    ['{"type":"tv-widget-no-data"}', 'no-data'],
    [{ name: 7, type: 'tv-widget-load' }, 'loaded'],
  ])('%j is read as %s', (data, report) => {
    expect(readWidgetMessage(data)).toBe(report)
  })

  it.each([
    [undefined],
    [null],
    [''],
    ['tv-widget-load'],
    ['{'],
    [42],
    [[]],
    [{}],
    [{ name: 'quoteUpdate' }],
    [{ name: 'toString' }],
    [{ name: { type: 'tv-widget-load' } }],
  ])('%j is ignored', (data) => {
    expect(readWidgetMessage(data)).toBeUndefined()
  })
})
