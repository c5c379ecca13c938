// Engine of the provider's chart widget, embedded as an iframe or by the provider's script tag.
import { widgetConfig, widgetOrigins, widgetScriptUrl, widgetUrl } from '#shared/chart/widget-url.ts'
import type { ChartEngine, ChartView, EngineReport } from './engine.ts'
import { readWidgetMessage } from './widget-message.ts'

/** The iframe keeps third-party script out of our page; the script tag is the provider's documented way. */
export function widgetEngine(mode: 'iframe' | 'script'): ChartEngine {
  return {
    mount(host, view, report) {
      const stopListening = listen(host, report)
      host.replaceChildren(...(mode === 'iframe' ? [frameOf(view)] : scriptOf(view, report)))
      return () => {
        stopListening()
        host.replaceChildren()
      }
    },
  }
}

function frameOf(view: ChartView): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.dataset['testid'] = 'chart-frame'
  frame.title = view.title
  frame.className = 'block size-full'
  frame.allowFullscreen = true
  frame.referrerPolicy = 'no-referrer'
  // Its origin differs from ours, so allow-same-origin is safe; without it the widget loses its own storage.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox')
  frame.src = widgetUrl(view)
  return frame
}

function scriptOf(view: ChartView, report: (report: EngineReport) => void): HTMLElement[] {
  const container = document.createElement('div')
  container.className = 'tradingview-widget-container size-full'
  const place = document.createElement('div')
  place.className = 'tradingview-widget-container__widget size-full'
  const script = document.createElement('script')
  script.async = true
  script.src = widgetScriptUrl
  script.textContent = JSON.stringify(widgetConfig(view))
  script.addEventListener('error', () => report('failed'))
  container.append(place, script)
  return [container]
}

/** Any window can post messages: accept only the provider's origin, from a frame inside our element. */
function listen(host: HTMLElement, report: (report: EngineReport) => void): () => void {
  const onMessage = (event: MessageEvent) => {
    if (!widgetOrigins.includes(event.origin)) return
    const isOurs = [...host.querySelectorAll('iframe')].some((frame) => frame.contentWindow === event.source)
    const reported = isOurs ? readWidgetMessage(event.data) : undefined
    if (reported !== undefined) report(reported)
  }
  window.addEventListener('message', onMessage)
  return () => window.removeEventListener('message', onMessage)
}
