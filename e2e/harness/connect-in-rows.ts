// Connects a routed page to the server and asks for candles as rows, which a test reads and changes. The page takes both forms.
import type { WebSocketRoute } from '@playwright/test'

export function connectInRows(page: WebSocketRoute): WebSocketRoute {
  const server = page.connectToServer()
  page.onMessage((text) => server.send(JSON.stringify({ ...(JSON.parse(String(text)) as object), form: undefined })))
  return server
}
