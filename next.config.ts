import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  compress: true,
  serverExternalPackages: ['libsql', 'pino'],
  typescript: { ignoreBuildErrors: false },
}

export default config
