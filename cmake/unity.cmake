# SPDX-License-Identifier: Apache-2.0
#
# LOCI_UNITY (the preset asan, and the release build of scripts/test): twelve sources of a module are
# compiled as one. Under the sanitizers
# compiling is mostly the generation of code for what templates and inline functions give to every
# source anew: the nine tests of store take 53 s of CPU one by one and 12 s together (-O0), the
# eight sources of image 32 s and 21 s (-O1). The other presets compile each source alone, which
# holds it to its own includes.
#
# Apart stay sources whose names of file scope are those of a neighbour too. A module that is not
# listed is small, or is made of sources that are alike by design (mcp: one tool each). Those share
# precompiled headers instead: of 5.5 s that GCC takes for one of them, 4 s are those headers.
set(unity_modules text image memory store recall query render formats eval command)
set(unity_apart
  src/command/completion.cc
  src/command/learn_rules.cc
  src/command/line_editor.cc
  src/formats/byte_source_test.cc
  src/formats/csv_map.cc
  src/formats/filter_process.cc
  src/formats/jsonl.cc
  src/formats/line_reader_test.cc
  src/formats/markdown.cc
  src/formats/mcp.cc
  src/formats/passage_records.cc
  src/formats/rdf_datatypes.cc
  src/formats/rdf_iri.cc
  src/formats/split.cc
  src/formats/tsv.cc
  src/formats/wordnet_lines.cc
  src/image/verify_test.cc
  src/memory/merge.cc
  src/query/like.cc
  src/query/lockstep_test.cc
  src/query/period_test.cc
  src/query/recollect.cc
  src/query/rule_lockstep_test.cc
  src/query/token.cc
  src/recall/collection.cc
  src/render/memories.cc)
foreach(module ${unity_modules})
  foreach(target loci_${module} ${module}_test)
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    endif()
  endforeach()
endforeach()
set_source_files_properties(${unity_apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

set(heavy_headers <nlohmann/json.hpp> <fmt/format.h> <functional> <map> <memory> <mutex> <string>
                  <vector>)
target_precompile_headers(loci_mcp PRIVATE ${heavy_headers})
# GCC 12 no longer knows of what is precompiled that it is a system header, and warns of its string.
set_source_files_properties(src/mcp/secret.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
if(TARGET mcp_test)
  target_precompile_headers(mcp_test PRIVATE ${heavy_headers} <gtest/gtest.h> <gmock/gmock.h>)
endif()
if(TARGET loci_python)
  set_target_properties(loci_python PROPERTIES UNITY_BUILD ON)
endif()
