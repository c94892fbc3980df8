/** Roles to choose, several as one comma-joined text; those that hold more than the caller are shown, not offered. */
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Field, type FieldProps } from '@/kit/fields';

type Node = Wire<'RoleNode'>;

const flat = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

export function RolesField({ params, ...props }: FieldProps & { params?: { tenantId?: string } }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery({
    queryKey: ['tree', '/blade-system/role/tree', params],
    queryFn: ({ signal }) => api.get('/blade-system/role/tree', params, signal),
    staleTime: 30_000,
    select: flat,
  });
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(text?: string) => ({ value: text ? String(text).split(',') : [] })}
      getValueFromEvent={(chosen: string[]) => chosen.join(',')}
    >
      <Select
        mode="multiple"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        options={data?.map(({ id, title, disabled }) => ({ value: id, label: title, disabled }))}
        optionRender={({ label, data: { disabled } }) => (
          <>
            {label}
            {disabled && <div className="x-hint">{t('access.more')}</div>}
          </>
        )}
        loading={isPending}
        disabled={props.disabled}
      />
    </Field>
  );
}
