import { ActionIcon } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { CompanyLocation, PharmacyModule } from '@pillar/contract/company/company-admin'
import { externalIdProblems } from '@pillar/domain/company/pharmacy'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { SelectField, TextField } from '../../../kit/form/fields.tsx'
import { start } from '../../../kit/list/acts.tsx'
import { ModuleTag } from './ModuleTag.tsx'
import styles from './ModuleTags.module.css'

const calls = contract.moduleAdmin

/** The same without acts, for a table. */
export function ModuleList({ modules }: { modules: readonly PharmacyModule[] }) {
  if (modules.length === 0) return NO_VALUE
  return (
    <span className={styles.tags}>
      {modules.map((module) => (
        <ModuleTag key={module.uuid} module={module} />
      ))}
    </span>
  )
}

/** A pharmacy's modules as coloured tags, each with a way to switch it off, and a button to add one. */
export function ModuleTags({ location }: { location: CompanyLocation }) {
  const [adding, setAdding] = useState(false)
  const remove = useWrite(calls.remove, {
    ask: ({ moduleId }) => ({
      title: `Remove ${nameOf(location.modules, moduleId)} from ${location.name}?`,
      consequence: 'The pharmacy can no longer use it. It can be added again.',
      button: 'Remove module',
      danger: true,
    }),
    done: 'Module Removed Successfully',
  })
  const take = ({ uuid: moduleId }: PharmacyModule) => remove.mutateAsync({ key: location.uuid, moduleId })
  return (
    <span className={styles.tags}>
      {location.modules.map((module) => (
        <ModuleTag key={module.uuid} module={module}>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove ${module.display_name} from ${location.name}`}
            onClick={() => start({ run: () => take(module) })}
          >
            <Icon of={X} size={14} />
          </button>
        </ModuleTag>
      ))}
      <ActionIcon aria-label={`Add a module to ${location.name}`} title="Add module" onClick={() => setAdding(true)}>
        <Icon of={Plus} />
      </ActionIcon>
      {adding ? <AddModule location={location} onClose={() => setAdding(false)} /> : null}
    </span>
  )
}

const nameOf = (modules: readonly PharmacyModule[], id: string) =>
  modules.find(({ uuid }) => uuid === id)?.display_name ?? 'the module'

function AddModule({ location, onClose }: { location: CompanyLocation; onClose: () => void }) {
  const read = useRead(calls.available, { key: location.uuid })
  const modules = read.data?.data ?? []
  const find = (id: string) => modules.find(({ uuid }) => uuid === id) ?? null
  return (
    <FormDialog
      words={{
        ...{ title: 'Add module', button: 'Add', busy: 'Adding...', done: 'Module Added Successfully' },
        what: 'this module',
        blocked: () =>
          read.isLoading ? 'Loading modules' : read.data?.data.length === 0 ? 'The pharmacy has every module.' : '',
      }}
      call={calls.add}
      ask={`${location.name} can use it at once.`}
      initial={{ moduleId: '', external_id: '' }}
      input={(values) => ({ ...values, key: location.uuid })}
      check={({ moduleId, external_id }) => externalIdProblems(find(moduleId), external_id)}
      onClose={onClose}
    >
      {(f, { moduleId }) => (
        <>
          <SelectField
            {...f('moduleId', 'Module')}
            options={[
              { value: '', label: 'Select' },
              ...modules.map(({ uuid, display_name }) => ({ value: uuid, label: display_name })),
            ]}
            failed={notLoaded('the modules', read)}
            data-autofocus
          />
          {find(moduleId)?.needs_external_id ? (
            <TextField
              {...f('external_id', 'External ID')}
              description="The pharmacy’s number in that system."
              maxLength={100}
            />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}
