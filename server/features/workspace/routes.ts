// Contract to service for workspaces and drawings.
import { readyJson } from '#server/http/ready-json.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { workspaceRoutes } from '#shared/workspace/contract.ts'
import type { WorkspaceService } from './service.ts'

export function workspaceHandlers({ workspaces }: { workspaces: WorkspaceService }): Handlers<typeof workspaceRoutes> {
  return {
    // Read through their schemas already; a second pass over up to 256 kB would only cost time.
    read: async ({ session }) => readyJson(JSON.stringify({ success: true, data: await workspaces.read(session.user) })),
    save: async ({ session, body }) => ({ success: true, data: { version: await workspaces.save(session.user, body) } }),
    drawings: async ({ session, params }) =>
      readyJson(JSON.stringify({ success: true, data: await workspaces.drawings(session.user, params.slug) })),
    saveDrawings: async ({ session, params, body }) => ({
      success: true,
      data: { version: await workspaces.saveDrawings(session.user, params.slug, body) },
    }),
  }
}
