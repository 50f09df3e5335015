import { everyCall } from '@pillar/contract/every-call'
import { describe, expect, it } from 'vitest'
import { openApi } from './openapi.ts'

interface Operation {
  description: string
  parameters: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: { properties?: object; required?: string[] } }> }
}

const { paths, components } = openApi() as {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, { name: string; in: string }> }
}
const operations = everyCall.map(({ call }) => ({
  call,
  operation: paths[call.path]![call.method === 'DELETE' ? 'delete' : 'post']!,
}))
const GRANT = '#/components/parameters/StepUpGrant'

describe('the OpenAPI document', () => {
  it('lists path parts among the parameters and nowhere in the body', () => {
    for (const { call, operation } of operations) {
      const parts = operation.parameters.flatMap((one) => (one.in === 'path' ? [one.name!] : []))
      for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
        expect([call.path, Object.keys(schema.properties ?? {}).filter((name) => parts.includes(name))]).toEqual([
          call.path,
          [],
        ])
        expect((schema.required ?? []).filter((name) => parts.includes(name))).toEqual([])
      }
    }
  })

  it('says where the grant of an entered password goes, and its required action', () => {
    expect(components.parameters.StepUpGrant).toMatchObject({ name: 'X-Step-Up-Grant', in: 'header' })
    for (const { call, operation } of operations)
      expect([call.path, operation.parameters.some(({ $ref }) => $ref === GRANT)]).toEqual([
        call.path,
        call.stepUp !== undefined,
      ])
    const words = (path: string) => paths[path]!.post!.description
    expect(words('/api/template/{id}/delete/enterprise')).toContain('action delete, object {id} of the path')
    expect(words('/api/key/{key}/module/{moduleId}')).toContain('action save, object {moduleId} of the path')
    expect(words('/api/template/create/enterprise')).toContain('action save, no object')
    expect(words('/api/template/admin/delete')).toContain('action delete, object of the example 0')
    expect(words('/api/template/{id}/activate/enterprise')).toContain('action of the example deactivate')
  })
})
