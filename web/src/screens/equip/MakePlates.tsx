/** A plate for each of many assets, or for all points of a route. */
import { App, Form, TreeSelect } from 'antd';
import { api } from '@/api/client';
import { equiptags } from '@/api/nouns/equiptags';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { Field, type FieldProps, RadioField } from '@/kit/fields';
import { ReferenceField } from '@/kit/nounFields';
import { useMachineNodes } from '@/screens/shared/machines';

export const [OF_MACHINE, OF_POINT] = [1, 2] as const;
const COMPONENT = 5;
const MACHINE = 4;

interface Values {
  type: '1' | '2';
  machines?: string[];
  groupId?: string;
}

interface Props {
  /** Is told the ids of the new plates, comma-joined. */
  onMade: (ids: string) => void;
  onClose: () => void;
}

export function MakePlates({ onMade, onClose }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return (
    <FormDrawer<Values, Wire<'Made'>>
      size="small"
      title={t('plates.makeMany')}
      note={t('plates.makeManyHint')}
      initial={{ type: '1' }}
      submitText={t('plates.make')}
      submit={async ({ type, machines = [], groupId = '' }) => {
        const points = () => api.get('/yuzhu-equip/inspectpoint/getList', { groupId });
        const ids = type === '2' ? (await points()).map(({ id }) => id) : machines;
        return api.post(`${equiptags.path}/makePlates`, {
          type: type === '2' ? OF_POINT : OF_MACHINE,
          bindIds: ids.join(),
        });
      }}
      invalidates={[[equiptags.name]]}
      onDone={({ ids, created, skipped }) => {
        const told = [t('plates.made', { count: created })];
        if (skipped > 0) told.push(t('plates.skipped', { count: skipped }));
        message.success(told.join(' '), 6);
        if (created > 0) onMade(ids);
      }}
      onClose={onClose}
    >
      <RadioField
        name="type"
        label={t('plates.kind')}
        options={[
          { value: '1', label: t('plates.bindMachine') },
          { value: '2', label: t('plates.bindPoint') },
        ]}
        required
      />
      <Chosen />
    </FormDrawer>
  );
}

function Chosen() {
  const { t } = useTranslation();
  const type = Form.useWatch<string | undefined>('type', Form.useFormInstance());
  if (type === '2')
    return (
      <ReferenceField
        name="groupId"
        label={t('plates.route')}
        required
        source={{ ref: '/yuzhu-equip/inspectgroup/select' }}
      />
    );
  return <Machines name="machines" label={t('plates.machines')} required />;
}

/** Ticking an area ticks all that stands in it. */
function Machines(props: FieldProps) {
  const { t } = useTranslation();
  const nodes = useMachineNodes([1, 2, 3, MACHINE, COMPONENT]);
  return (
    <Field full {...props} kind="choose" valueType="array" message={t('plates.noMachines')}>
      <TreeSelect
        treeCheckable
        showCheckedStrategy={TreeSelect.SHOW_CHILD}
        treeData={nodes}
        fieldNames={{ label: 'label', value: 'key', children: 'children' }}
        showSearch={{ treeNodeFilterProp: 'label' }}
        maxTagCount={6}
        allowClear
        loading={!nodes}
        listHeight={320}
      />
    </Field>
  );
}
