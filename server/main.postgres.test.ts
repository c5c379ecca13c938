// Two server processes that start at once on one PostgreSQL.
import { expect, test } from 'vitest'
import { emptyDatabaseUrl } from '#server/testing/database.ts'
import { startServer } from '#server/testing/process.ts'

const admin = { email: 'owner@example.in', password: 'correct horse battery' }

test('they migrate once and make one first admin', async () => {
  const environment = { DATABASE_URL: await emptyDatabaseUrl('two_processes'), ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const servers = await Promise.all([startServer(environment), startServer(environment)])
  for (const server of servers) {
    const answer = await fetch(`${server.url}/api/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    expect(answer.status).toBe(200)
  }
  expect(servers.filter((server) => server.output().includes('database changed: 0001_accounts'))).toHaveLength(1)
  expect(servers.filter((server) => server.output().includes('First admin'))).toHaveLength(1)
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual([0, 0])
})
