// Routes of workspaces and drawings.
import { preserializedJson, type Handlers } from '#server/http/serve.ts'
import type { workspaceRoutes } from '#shared/workspace/contract.ts'
import type { WorkspaceService } from './service.ts'

export function workspaceHandlers({ workspaces }: { workspaces: WorkspaceService }): Handlers<typeof workspaceRoutes> {
  return {
    // Already parsed by their schemas; a second pass over up to 256 kB would only take time.
    read: async ({ session }) => preserializedJson(JSON.stringify({ success: true, data: await workspaces.read(session.user) })),
    save: async ({ session, body }) => ({ success: true, data: { version: await workspaces.save(session.user, body) } }),
    drawings: async ({ session, params }) =>
      preserializedJson(JSON.stringify({ success: true, data: await workspaces.drawings(session.user, params.slug) })),
    saveDrawings: async ({ session, params, body }) => ({
      success: true,
      data: { version: await workspaces.saveDrawings(session.user, params.slug, body) },
    }),
  }
}
