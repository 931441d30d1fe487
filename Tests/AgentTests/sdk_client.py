"""An agent by the official Python SDK: calls tools in one version, and prints what it gets as JSON.

  sdk_client.py VERSION ROOT COMMAND... < CALLS       CALLS: [[NAME, ARGUMENTS], ...]
"""
import asyncio
import json
import pathlib
import sys

import mcp.client.session
from mcp import Client, StdioServerParameters
from mcp import types


async def main(version, root, *command):
    stateless = version not in ("2025-06-18", "2025-11-25")
    if not stateless:
        mcp.client.session.LATEST_HANDSHAKE_VERSION = version
    elicited, progress = [], []

    async def roots(_):
        return types.ListRootsResult(roots=[types.Root(uri=pathlib.Path(root).as_uri())])

    async def elicit(_, parameters):
        elicited.append(parameters.message)
        await asyncio.sleep(3600)

    async def note(*values):
        progress.append(values[-1])

    server = StdioServerParameters(command=command[0], args=list(command[1:]), env=dict(__import__("os").environ))
    calls, results = json.load(sys.stdin), []
    async with Client(server, mode="auto" if stateless else "legacy", list_roots_callback=roots,
                      elicitation_callback=elicit) as client:
        tools = await client.list_tools()
        for name, arguments in calls:
            result = await client.call_tool(name, arguments, progress_callback=note)
            results.append({"error": bool(result.is_error), "text": result.content[0].text,
                            "structured": result.structured_content})
        print(json.dumps({
            "version": client.protocol_version, "server": client.server_info and client.server_info.name,
            "instructions": client.instructions, "tools": [tool.name for tool in tools.tools], "results": results,
            "elicited": elicited, "progress": progress}))


asyncio.run(main(*sys.argv[1:]))
