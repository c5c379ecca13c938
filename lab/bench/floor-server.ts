// Baselines of the API: a bare node:http response and a plain Fastify route that logs as ours does, both with the same bytes.
import { createServer } from 'node:http'
import fastify, { LogController } from 'fastify'
import { z } from 'zod'
import { userSchema } from '#shared/users/user.ts'

const user = JSON.parse(process.argv[2] ?? '{}') as object
const bytes = Buffer.from(JSON.stringify(user))

const bare = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  response.end(bytes)
})
const { $schema: _, ...schema } = z.toJSONSchema(userSchema, { target: 'draft-7' })
const plain = fastify({ logger: true, logController: new LogController({ disableRequestLogging: true }) })
plain.addHook('onResponse', (request, reply, done) => {
  request.log.info({ method: request.method, path: request.routeOptions.url, status: reply.statusCode, ms: reply.elapsedTime }, 'request')
  done()
})
plain.get('/api/v1/user', { schema: { response: { 200: schema } } }, () => Promise.resolve(user))

await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
await plain.listen({ port: 0, host: '127.0.0.1' })
const portOf = (address: unknown) => (address as { port: number }).port
process.send?.({ bare: portOf(bare.address()), plain: portOf(plain.server.address()) })
