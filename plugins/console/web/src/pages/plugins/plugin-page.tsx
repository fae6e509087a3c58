import { useState } from 'preact/hooks';
import { StateBadge } from '../../components/badge';
import { Button } from '../../components/button';
import { confirm } from '../../components/confirm';
import { openDialog } from '../../components/dialog';
import { LinesField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { JsonView } from '../../components/json-view';
import { KeyValues } from '../../components/key-values';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/panel';
import { Loaded } from '../../components/status-views';
import { useResource } from '../../events/use-resource';
import { parseLines } from '../../format/parse-lines';
import { attempt } from '../../notices/notices';
import { goTo, pathTo } from '../../routing/route';
import { openUpgrade } from './install-plugin';
import { configurePlugin, readPlugin, removePlugin } from './plugin-actions';
import { Switch } from './plugin-list';
import type { Plugin } from './plugin-types';

export function PluginPage({ name }: { readonly name: string }) {
  const [plugin, reload] = useResource((signal) => readPlugin(name, signal), [name], ['plugin']);
  const value = plugin.state === 'ready' ? plugin.value : undefined;
  return (
    <>
      <PageHeader
        title={name}
        back={{ href: pathTo('plugins'), name: 'Plugins' }}
        detail={value && <StateBadge state={value.Enabled ? 'enabled' : 'disabled'} />}
      >
        {value && <PluginButtons plugin={value} reload={reload} />}
      </PageHeader>
      <Loaded what="the plugin" resource={plugin} reload={reload}>
        {(loaded) => (
          <>
            <Panel title="Settings">
              <KeyValues entries={(loaded.Settings.Env ?? []).map((line) => split(line))} />
              <p class="hint">A plugin is configured while it is disabled.</p>
            </Panel>
            <JsonView name="plugin" value={loaded} />
          </>
        )}
      </Loaded>
    </>
  );
}

const split = (line: string): readonly [string, string] => {
  const at = line.indexOf('=');
  return at === -1 ? [line, '(unset)'] : [line.slice(0, at), line.slice(at + 1) || '(empty)'];
};

function PluginButtons({ plugin, reload }: { readonly plugin: Plugin; readonly reload: () => void }) {
  const { Name, Enabled } = plugin;
  const configure = () => openDialog((close) => <ConfigureDialog plugin={plugin} close={close} changed={reload} />);
  const dispose = async (): Promise<void> => {
    const answer = await confirm({
      title: `Remove ${Name.slice(0, 80)}?`,
      action: 'Remove',
      options: { force: 'Also when it is enabled' },
    });
    if (answer === undefined) return;
    if (await attempt(`Remove ${Name}`, () => removePlugin(Name, answer.force), `Removed ${Name}.`)) goTo('plugins');
  };
  return (
    <>
      <Switch plugin={plugin} />
      <Button disabled={Enabled} onPress={configure}>
        Configure…
      </Button>
      <Button disabled={Enabled} onPress={() => openUpgrade(Name)}>
        Upgrade…
      </Button>
      <Button kind="danger" onPress={dispose}>
        Remove…
      </Button>
    </>
  );
}

interface ConfigureDialogProps {
  readonly plugin: Plugin;
  readonly close: () => void;
  readonly changed: () => void;
}

function ConfigureDialog({ plugin: { Name, Config, Settings }, close, changed }: ConfigureDialogProps) {
  const settable = (Config.Env ?? []).filter(({ Settable }) => (Settable ?? []).length > 0).map((each) => each.Name);
  const [lines, setLines] = useState(
    (Settings.Env ?? []).filter((line) => settable.includes(line.split('=')[0] ?? '')).join('\n'),
  );
  return (
    <FormDialog
      title="Configure the plugin"
      action="Save"
      close={close}
      submit={() => configurePlugin(Name, parseLines(lines)).then(changed)}
    >
      <LinesField
        label="Settings"
        value={lines}
        onChange={setLines}
        rows={6}
        hint={settable.length === 0 ? 'It has no variables that can be set.' : `name=value, of ${settable.join(', ')}`}
      />
    </FormDialog>
  );
}
