import type { Metadata } from 'next'
import { providersData } from '@/app/page-data'
import { SettingsView } from '@/components/settings/settings-view'

export const metadata: Metadata = { title: 'Settings' }

export default function SettingsPage() {
  return <SettingsView providers={providersData()} />
}
