/** The shop's own roles: a name and what it may do. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { permissions } from '#contract/staff/permissions.ts';
import type { OwnRole } from '#contract/staff/roles.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { Checkbox, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';

export function useRoles(): readonly OwnRole[] {
  const { call } = useOffice();
  return useQuery({ queryKey: ['roles'], queryFn: () => call('roles') }).data?.roles ?? [];
}

export function Roles() {
  const { t } = useOffice();
  const roles = useRoles();
  const [edited, setEdited] = useState<OwnRole | 'new'>();
  return (
    <section aria-labelledby="own-roles" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="own-roles" className="text-lg">
          {t('office.ownRoles')}
        </h2>
        <Button variant="secondary" icon="plus" size="small" onClick={() => setEdited('new')}>
          {t('office.newRole')}
        </Button>
      </header>
      <p className="text-ink-soft">{t('office.ownRolesWhy')}</p>
      {roles.length > 0 && (
        <ul className="divide-y divide-line border-line border-y">
          {roles.map((role) => (
            <li key={role.id} className="flex min-h-14 items-center gap-4 py-3">
              <p className="min-w-0 flex-1">
                <span className="font-semibold">{role.name}</span>
                <span className="text-ink-soft text-sm"> · {t('office.rolePeople', { count: role.people })}</span>
                <span className="block text-ink-soft text-sm">
                  {role.permissions.map((each) => t(`office.permission.${each}`)).join(' · ')}
                </span>
              </p>
              <Button variant="secondary" size="small" onClick={() => setEdited(role)}>
                {t('office.change')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {edited && <RoleDialog role={edited === 'new' ? null : edited} onClose={() => setEdited(undefined)} />}
    </section>
  );
}

function RoleDialog({ role, onClose }: { role: OwnRole | null; onClose: () => void }) {
  const { t, call, may, queries } = useOffice();
  const taken = (answer: { roles: OwnRole[] }) => {
    queries.setQueryData(['roles'], answer);
    onClose();
    return queries.invalidateQueries({ queryKey: ['staff'] });
  };
  const form = useForm({
    initial: { name: role?.name ?? '', permissions: [...(role?.permissions ?? [])] },
    send: (body) => (role ? call('changeRole', { params: { id: role.id }, body }) : call('addRole', { body })),
    onSent: taken,
  });
  const remove = useMutation({ mutationFn: (id: string) => call('removeRole', { params: { id } }), onSuccess: taken });
  const ticked = form.values.permissions;
  return (
    <Dialog open onClose={onClose} title={role?.name ?? t('office.newRole')}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
        <Problem error={remove.error} />
        <TextField {...form.field('name')} label={t('office.roleName')} autoComplete="off" />
        <fieldset className="flex flex-col">
          <legend className="mb-1 font-semibold">{t('office.roleMay')}</legend>
          {permissions.map((each) => (
            <Checkbox
              key={each}
              className="min-h-11 justify-center"
              label={t(`office.permission.${each}`)}
              checked={ticked.includes(each)}
              disabled={!may.includes(each)}
              onChange={({ target }) =>
                form.change({ permissions: target.checked ? [...ticked, each] : ticked.filter((other) => other !== each) })
              }
            />
          ))}
        </fieldset>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.busy}>
            {t('office.save')}
          </Button>
          {role && (
            <Button variant="secondary" busy={remove.isPending} onClick={() => remove.mutate(role.id)}>
              {t('office.removeRole')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
