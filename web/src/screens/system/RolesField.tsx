/** Roles to choose, several as one comma-joined text. */
import { Select } from 'antd';
import type { Params } from '@/api/calls';
import { Field, type FieldProps } from '@/kit/fields';
import { useTree } from '@/kit/references';
import type { TreeNode } from '@/kit/tree';

function flat(nodes: readonly TreeNode[]): { value: string; label: string }[] {
  return nodes.flatMap(({ key, label, children }) => [
    { value: key, label },
    ...flat((children ?? []) as TreeNode[]),
  ]);
}

export function RolesField({ params, ...props }: FieldProps & { params?: Params }) {
  const { data, isPending } = useTree('/blade-system/role/tree', params);
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
        options={flat(data ?? [])}
        loading={isPending}
        disabled={props.disabled}
      />
    </Field>
  );
}
