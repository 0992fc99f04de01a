// The one-way rule of docs/architecture.md: a room may import itself and what lies to its left.
const rooms = {
  'lib/contract': [],
  'lib/projection': ['lib/contract'],
  'lib/client': ['lib/contract', 'lib/projection'],
  components: ['lib/contract', 'lib/projection', 'lib/client'],
  'server/runtime': ['lib/contract', 'lib/projection'],
  'server/subagents': ['lib/contract', 'lib/projection', 'server/runtime'],
  'server/approvals': ['lib/contract', 'lib/projection', 'server/runtime'],
  'server/tools': ['lib/contract', 'lib/projection', 'server/runtime'],
  'server/models': ['lib/contract', 'lib/projection', 'server/runtime'],
  'server/store': ['lib/contract', 'lib/projection', 'server/runtime'],
  'server/http': ['lib/contract'],
}

const oneWay = Object.entries(rooms).map(([room, allowed]) => ({
  name: `room-${room.replace('/', '-')}`,
  comment: `${room} may import only itself${allowed.length ? ` and ${allowed.join(', ')}` : ''}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: {
    path: '^(app|components|lib|server|cli|tests|e2e|bench|scripts)/',
    pathNot: [room, ...allowed].map((name) => `^${name}/`),
  },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...oneWay,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nobody-imports-app', severity: 'error', from: { pathNot: '^app/' }, to: { path: '^app/' } },
    {
      name: 'only-app-and-cli-read-the-container',
      severity: 'error',
      from: { pathNot: '^(app|cli)/|^instrumentation|^proxy|^server/(container|shutdown)' },
      to: { path: '^server/container' },
    },
    {
      name: 'lib-runs-anywhere',
      comment: 'lib has no Node built-ins and no React',
      severity: 'error',
      from: { path: '^lib/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'lib-without-react',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: 'node_modules/(react|react-dom|next)/' },
    },
    { name: 'no-dead-import', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.next/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
