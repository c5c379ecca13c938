// Health check of the container: asks this process, web or gateway, for its readiness. Ends with 0 if ready.
// The container engine limits its time. node:http, because fetch takes longer to load than to answer.
import { get } from 'node:http'

get({ host: '127.0.0.1', port: process.env.METRICS_PORT || 9464, path: '/readyz', agent: false }, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1
  answer.pipe(process.stdout)
}).on('error', (error) => {
  console.log(error.message)
  process.exitCode = 1
})
