// The dependency rules of the project, each with its reason. `npm run lint:deps` checks them.
const tests = String.raw`(\.test\.tsx?$|(^|/)testing/)`
const adapters = [
  String.raw`^server/open-database\.ts$`,
  String.raw`^server/db/(open-pool|open-postgres|open-replica)\.ts$`,
  '^server/(backup|engine)/',
  '^server/alerts/telegram-alerts[.]ts$',
  String.raw`^server/mail/(smtp-mailer|outbox)\.ts$`,
  String.raw`^server/metrics/prometheus-metrics\.ts$`,
  String.raw`^server/features/users/(database|redis)-presence\.ts$`,
  '^server/features/market-data/feeds/',
  String.raw`^server/features/market-data/gateway/redis-(publisher|subscriber)\.ts$`,
]

/** Features of the chart page, each with the ones below it. */
const chartLayers = [
  { folder: 'market-data', mayImport: [] },
  { folder: 'instruments', mayImport: ['market-data'] },
  { folder: 'drawings', mayImport: ['market-data'] },
  { folder: 'chart', mayImport: ['market-data', 'instruments', 'drawings'] },
  { folder: 'market-admin', mayImport: ['market-data', 'instruments', 'chart'] },
]

/** Features of the server that others are built on, each with those it must not know. */
const serverLayers = [
  { folder: 'market-data', above: ['instruments', 'chart', 'market-admin'] },
  { folder: 'instruments', above: ['chart', 'market-admin'] },
]

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Files in a circle can only be read, tested and moved together. Types count, because readers follow them too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-exist',
      comment: 'An import that cannot be found is not checked by any other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: String.raw`^(vite/client|.*\.(css|woff2|svg|png|avif))` },
    },
    {
      name: 'web-and-server-never-meet',
      comment: 'What the browser gets must not contain a line of the server, and the server must start without the web.',
      severity: 'error',
      from: { path: '^(web|server)/' },
      to: { path: '^(web|server)/', pathNot: '^$1/' },
    },
    {
      name: 'shared-imports-zod-only',
      comment: 'Both sides run it, so it may use zod and itself, and neither Node nor a browser nor a room.',
      severity: 'error',
      from: { path: '^shared/', pathNot: tests },
      to: { pathNot: ['^shared/', '^node_modules/zod/'] },
    },
    {
      name: 'contract-on-top',
      comment: 'Inside a shared feature the wire may use the rules; rules that knew the wire could not outlive it.',
      severity: 'error',
      from: { path: '^shared/([^/]+)/', pathNot: [String.raw`^shared/[^/]+/(admin-)?contract\.ts$`, tests] },
      to: { path: String.raw`^shared/$1/(admin-)?contract\.ts$` },
    },
    {
      name: 'web-features-are-strangers',
      comment: 'A feature that knows another cannot be changed alone; screens in web/app compose them. The chart page is built in layers.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: ['^web/features/$1/', '^web/features/(market-data|instruments|drawings|chart)/'] },
    },
    ...chartLayers.map(({ folder, mayImport }) => ({
      name: `layers-of-the-chart-page-${folder}`,
      comment: 'Prices, then the instruments that have them, drawings on them, the chart, and the admin pages about all of it.',
      severity: 'error',
      from: { path: `^web/features/${folder}/`, pathNot: tests },
      to: { path: '^web/features/', pathNot: [folder, ...mayImport].map((name) => `^web/features/${name}/`) },
    })),
    {
      name: 'only-the-chart-page-has-layers',
      comment: 'No other feature builds on prices or charts.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/', pathNot: [...chartLayers.map(({ folder }) => `^web/features/${folder}/`), tests] },
      to: { path: chartLayers.map(({ folder }) => `^web/features/${folder}/`), pathNot: '^web/features/$1/' },
    },
    {
      name: 'nothing-knows-web-app',
      comment: 'The app composes everything; what knew it would know everything.',
      severity: 'error',
      from: { path: '^web/', pathNot: ['^web/app/', String.raw`^web/(main|prerendered-views|start)\.tsx?$`, tests] },
      to: { path: '^web/app/' },
    },
    {
      name: 'web-floor-knows-no-feature',
      comment: 'The kit and the tools of the browser are used by every feature, so they can know none.',
      severity: 'error',
      from: { path: '^web/(ui|lib|styles)/' },
      to: { path: '^web/features/' },
    },
    {
      name: 'web-floor-knows-no-shared-feature',
      comment:
        'Rules and texts of a feature come into the kit as props. One file sends error reports, and every feature reads the one store of preferences.',
      severity: 'error',
      from: {
        path: '^web/(ui|lib|styles)/',
        pathNot: [String.raw`^web/lib/(error-reporter|preferences)\.ts$`, tests],
      },
      to: { path: '^shared/', pathNot: String.raw`^shared/((base|http)/|text/texts\.ts$)` },
    },
    {
      name: 'server-features-meet-at-the-service',
      comment: "A feature's routes and tables are its own business; another calls its service, port, presenter or erasure.",
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: tests },
      to: {
        path: String.raw`^server/features/[^/]+/(?!(service|presence|present-user|types|erase-account)\.ts$)`,
        pathNot: ['^server/features/$1/', '^server/features/market-data/', String.raw`^server/features/instruments/[^/]+\.ts$`],
      },
    },
    {
      name: 'server-market-layers',
      comment: 'Prices know no page; instruments, charts and the admin pages are built on them, and no other feature is.',
      severity: 'error',
      from: { path: '^server/features/', pathNot: ['^server/features/(market-data|instruments|chart|market-admin)/', tests] },
      to: { path: '^server/features/(market-data|instruments|chart|market-admin)/' },
    },
    ...serverLayers.map(({ folder, above }) => ({
      name: `server-layers-${folder}`,
      comment: 'The hub also runs in a process without pages. Charts and the admin pages use prices and instruments.',
      severity: 'error',
      from: { path: `^server/features/${folder}/`, pathNot: tests },
      to: { path: above.map((name) => `^server/features/${name}/`) },
    })),
    {
      name: 'server-floor-knows-no-feature',
      comment: 'Database, backups, mail, metrics and HTTP serve every feature, so they can know none.',
      severity: 'error',
      from: { path: '^server/(alerts|backup|db|engine|mail|metrics|http)/', pathNot: tests },
      to: { path: '^server/features/' },
    },
    {
      name: 'nothing-knows-server-app',
      comment: 'The app and the services know every feature; only what starts them, or tests them, may know them.',
      severity: 'error',
      from: { path: '^server/', pathNot: [String.raw`^server/(main|app)\.ts$`, tests] },
      to: { path: String.raw`^server/(app|main|services)\.ts$` },
    },
    {
      name: 'main-chooses-adapters',
      comment: 'Which database, mailer, presence or feed runs is decided where the process starts; all other code sees the port.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [String.raw`^server/(main|gateway|open-[a-z-]+)\.ts$`, tests, ...adapters],
      },
      to: { path: adapters },
    },
    {
      name: 'database-knows-no-engine',
      comment:
        'The application sees a PostgreSQL; who runs, copies and saves it is the business of engine and backup, which use the database.',
      severity: 'error',
      from: { path: '^server/db/', pathNot: tests },
      to: { path: '^server/(engine|backup)/' },
    },
    {
      name: 'engine-behind-its-door',
      comment: 'Only what opens, saves or restores the embedded PostgreSQL knows how it is run.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/(engine|backup)/', String.raw`^server/(main|open-[a-z-]+)\.ts$`, tests] },
      to: { path: '^server/engine/' },
    },
    {
      name: 'engine-knows-no-backup',
      comment: 'Backups copy the engine and restore it; the engine runs without them.',
      severity: 'error',
      from: { path: '^server/engine/', pathNot: tests },
      to: { path: '^server/backup/' },
    },
    {
      name: 'backup-has-one-door',
      comment:
        'The server rejects an empty start, runs the jobs and reads their state; the rest of backup and restore is for operator commands.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/backup/', tests] },
      to: { path: '^server/backup/', pathNot: String.raw`^server/backup/open-backups\.ts$` },
    },
    {
      name: 'product-never-imports-tests',
      comment: 'Helpers of tests hold passwords and short cuts that must not reach a running server.',
      severity: 'error',
      from: { pathNot: tests },
      to: { path: tests, pathNot: '^node_modules/' },
    },
    {
      name: 'no-development-packages',
      comment: 'The running server must find every package that it imports when only production packages are installed.',
      severity: 'error',
      from: { path: '^(server|shared)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'declared-packages-only',
      comment: 'A package that came with another one can leave with it.',
      severity: 'error',
      from: { path: '^(web|server|shared)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    // This parser sees type-only imports, which are arrows too.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: '^node_modules/' },
    exclude: { path: '^(dist|data|[.]cache)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'module', 'node', 'default'],
    },
  },
}
