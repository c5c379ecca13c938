// Starts one database engine for all test files of a vitest project.
import type { TestProject } from 'vitest/node'
import { startTestEngine, type TestServer } from './test-engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
    isSlowProject: boolean
  }
}

/** The project `server-postgres` uses the server of TEST_DATABASE_URL; an unreachable one fails the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startTestEngine(project.name === 'server-postgres' ? (process.env['TEST_DATABASE_URL'] ?? '') : undefined)
  const { connection, application, template } = engine
  project.provide('testServer', { engine: engine.engine, connection, application, template })
  project.provide('isSlowProject', project.name === 'slow')
  return () => engine.stop()
}
